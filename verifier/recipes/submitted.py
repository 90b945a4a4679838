"""What a job runs whose script starts no server itself: followed from the launcher on.

A launcher starts the benchmark script, that hands a job script to the job system, and the job
starts a script of the checkout in a container on every node. Each of these is evaluated in the
closed world of the variables that the one before gives it. What the job system and the host set
is not known, so a script that asks for its rank goes every way.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from verifier.model.command import Command, Evaluation, Note
from verifier.model.condition import Condition
from verifier.model.launch import Launch
from verifier.model.record import dataclass, field, replace
from verifier.model.text import Hole, Lit, Origin, Span, Text, Word, lit
from verifier.recipes.views import launch_view
from verifier.shell.files import TREE_ROOT, tree_path
from verifier.shell.texts import cut

if TYPE_CHECKING:
    from verifier.policy import Policy
    from verifier.policy_points import JobScript
    from verifier.recipes.watching import WatchedTree
    from verifier.shell.options import Options

Env = dict[str, str | Text]
_PROBE = "__variables_of_the_container"
START = "job"
"""The name of what starts the launcher, which is no file."""
_MOST_STEPS = 20
_MOST_NODES = 8
"""Nodes of a job that are followed one by one."""
_STEP = 100_000
"""Order numbers that one script's commands have room for."""
_SHELLS = frozenset(("bash", "sh", "dash"))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Started:
    """A script of the tree, and the variables that it gets."""

    path: str
    env: Env
    cwd: Text | None = None
    words: tuple[Word, ...] = ()
    """Its arguments."""
    files: tuple[tuple[str, str], ...] = ()
    """(name in its container, path in the tree)."""
    nodes: int | None = None
    """On how many nodes the job runs; None: not known."""


@dataclass(slots=True)
class Chain:
    """All that was evaluated on the way."""

    commands: list[Command] = field(default_factory=list)
    assumptions: list[Note] = field(default_factory=list)
    unresolved: list[Note] = field(default_factory=list)
    steps: int = 0


def follow(
    launcher: str,
    script: str,
    env: Mapping[str, str],
    policy: Policy,
    tree: WatchedTree,
    options: Options,
) -> Evaluation | None:
    """The evaluation of a point's script together with what it submits; None when nothing is."""
    follower = _Follower(script, policy, tree, options)
    return follower.run(Started(launcher, follower.site(env), Text((follower.root,))))


def distinct(launches: Iterable[Launch]) -> tuple[Launch, ...]:
    """Launches that say the same on several ways as one, under any of their conditions."""
    groups: dict[object, list[Launch]] = {}
    for launch in launches:
        groups.setdefault((launch.span, launch_view(launch)), []).append(launch)
    return tuple(map(_either, groups.values()))


def _either(launches: list[Launch]) -> Launch:
    first = launches[0]
    if len(launches) == 1:
        return first
    ways = dict.fromkeys(c for launch in launches for c in launch.when.alternatives)
    return replace(first, command=replace(first.command, when=Condition(tuple(ways))))


class _Follower:
    def __init__(self, script: str, policy: Policy, tree: WatchedTree, options: Options) -> None:
        self.script = script
        self.policy = policy
        self.tree = tree
        self.options = options
        self.chain = Chain()
        self.root = Hole("the folder that the tree is checked out in", TREE_ROOT)

    def site(self, env: Mapping[str, str]) -> Env:
        """A job's variables with those that the host sets."""
        rules = self.policy.point
        root = Text((self.root,))
        hosts = {name: _unknown(name) for name in (*rules.host_variables, "RESULT_FILENAME")}
        return {**hosts, **dict.fromkeys(rules.checkout, root), **env}

    def run(self, first: Started) -> Evaluation | None:
        pending, seen = [first], set[object]()
        while pending:
            step = pending.pop(0)
            words = tuple((word.text.display(), word.splits) for word in step.words)
            key = (step.path, words, _shown(step.env))
            if key in seen:
                continue
            seen.add(key)
            self.chain.steps += 1
            if self.chain.steps > _MOST_STEPS:
                text = f"{step.path} is started in too many ways to follow all of them"
                self.chain.unresolved.append(Note(span=Span(step.path, 1), text=text))
                break
            pending += self.step(step)
        if self.chain.steps < 2:
            return None
        return Evaluation(
            path=self.script,
            commands=tuple(self.chain.commands),
            assumptions=tuple(dict.fromkeys(self.chain.assumptions)),
            unresolved=tuple(dict.fromkeys(self.chain.unresolved)),
        )

    def step(self, step: Started) -> list[Started]:
        """Evaluate a script; what it starts."""
        from verifier.shell.evaluate import evaluate

        rule = next((r for r in self.policy.point.job_scripts if self.matches(r, step.path)), None)
        first = self.chain.steps == 1
        contents = {name: self.tree.text(path) for name, path in step.files}
        text, env = _start(step, self.root, contents)
        tree = _Added(self.tree, {START: text})
        if rule is not None:
            tree.files_added[step.path] = _probed(self.tree.text(step.path), rule)
        found = evaluate(START, tree, replace(self.options, env=env, arguments=()))
        probes = [c for c in found.commands if c.name == _PROBE]
        self.chain.assumptions += found.assumptions
        if rule is not None and probes:
            # What the job does with its container is what the rule says.
            ends = min(probe.span.line for probe in probes)
            self.chain.unresolved += [
                note
                for note in found.unresolved
                if note.span.path == step.path and note.span.line < ends
            ]
            return [start for probe in probes for start in self.contained(rule, probe, step)]
        outside = {START, step.path} if first else {START}
        offset = self.chain.steps * _STEP
        self.chain.commands += [
            replace(command, order=command.order + offset)
            for command in found.commands
            if command.span.path not in outside
        ]
        self.chain.unresolved += [
            note for note in found.unresolved if note.span.path not in outside
        ]
        return [start for command in found.commands for start in self.started(command)]

    def matches(self, rule: JobScript, path: str) -> bool:
        submitted = self.policy.place(rule.submitted)
        return path == submitted and rule.proof in self.tree.text(path)

    def started(self, command: Command) -> Iterator[Started]:
        """Scripts of the checkout that a command starts somewhere else."""
        words = command.argv
        if command.name == "sbatch":
            found = self.submitted(command)
            if found is not None:
                nodes = _nodes(command)
                env = self.job(command.env)
                yield Started(found[0], env, command.cwd, found[1], nodes=nodes)
            return
        position = 1 if command.name in _SHELLS else 0
        if len(words) <= position or words[position].splits:
            return
        path = self.mounted(words[position].text)
        if path is not None:
            yield Started(path, self.job(command.env), None, words[position + 1 :])

    def submitted(self, command: Command) -> tuple[str, tuple[Word, ...]] | None:
        """The job script of `sbatch`: the first word that names a file of the checkout."""
        for index, word in enumerate(command.argv[1:], 1):
            if word.splits or (word.text.known or "").startswith("-"):
                continue
            found = self.placed(word.text, command.cwd)
            if found is not None:
                return found, command.argv[index + 1 :]
        return None

    def placed(self, name: Text, cwd: Text | None) -> str | None:
        known = name.known
        if known is not None and not known.startswith("/") and cwd is not None:
            name = cwd + lit(f"/{known}")
        path = tree_path(name)
        return path if path and self.exists(path) else None

    def mounted(self, name: Text) -> str | None:
        """The path in the tree of a script's name inside a container."""
        known = name.known
        if known is None or not known.endswith(".sh"):
            return None
        for mount in self.policy.point.mounts:
            if known.startswith(mount):
                path = self.policy.place(posixpath.normpath(known[len(mount) :]))
                return path if self.exists(path) else None
        return None

    def exists(self, path: str) -> bool:
        return bool(self.tree.text(path))

    def job(self, env: Mapping[str, Text]) -> Env:
        rules = self.policy.point
        nodes: Env = {name: _unknown(name) for name in rules.node_variables}
        ranks: Env = {name: _unknown(name, "number:") for name in rules.rank_variables}
        return {**env, **nodes, **ranks}

    def contained(self, rule: JobScript, probe: Command, step: Started) -> Iterator[Started]:
        """What the job's container runs."""
        job = step.path
        runs = self.policy.place(rule.runs)
        env = self.variables(probe, job)
        if env is None:
            text = f"which variables the container of {job} gets is not known"
            self.chain.unresolved.append(Note(span=probe.span, text=text))
            return
        text = f"{job} starts {runs} on every node with the variables of this line"
        self.chain.assumptions.append(Note(span=probe.span, text=text))
        if rule.inherits:
            env = {**self.job(probe.env), **env}
        files = tuple(self.files(rule))
        nodes = step.nodes if rule.rank in env else None
        if nodes is None or nodes > _MOST_NODES:
            yield Started(runs, env, files=files)
            return
        for number in range(nodes):
            yield Started(runs, {**env, rule.rank: str(number)}, files=files)

    def files(self, rule: JobScript) -> Iterator[tuple[str, str]]:
        for folder, place in rule.files:
            inside = self.policy.place(place)
            for path in self.tree.files(inside.rstrip("/")):
                yield folder + path.removeprefix(inside), path

    def variables(self, probe: Command, job: str) -> Env | None:
        """`-e NAME=VALUE` words, whose values the job's shell expands once more."""
        from verifier.shell.evaluate import evaluate

        names: Env = {}
        parts: list[str] = []
        for word in probe.argv[1:]:
            for piece in word.text.pieces:
                if isinstance(piece, Lit):
                    parts.append(piece.value)
                    continue
                names[f"__part_{len(names)}"] = Text((piece,))
                parts.append(f"${{__part_{len(names) - 1}}}")
            parts.append(" ")
        line = f"{job}.variables"
        tree = _Added(self.tree, {line: f"{_PROBE} {''.join(parts)}\n".encode()})
        options = replace(self.options, env={**self.job(probe.env), **names}, arguments=())
        found = [c for c in evaluate(line, tree, options).commands if c.name == _PROBE]
        pairs = [self.pair(word, probe.span) for word in found[0].argv[1:]] if found else [None]
        if len(found) != 1 or None in pairs:
            return None
        return dict(pair for pair in pairs if pair)

    def pair(self, word: Word, span: Span) -> tuple[str, Text] | tuple[()] | None:
        """A variable and its value; nothing for the option itself, None for what cannot be read."""
        if word.text.known == "-e":
            return ()
        texts = [way[0].text for way in word.alternatives or () if way] or [word.text]
        names = {_assigned(text) for text in texts}
        name = names.pop()
        if names or name is None or (word.alternatives and len(texts) < len(word.alternatives)):
            return None
        if word.splits:
            reason = f"{name} of the container may be one of several, or be cut at blanks"
            return name, Text((Hole(reason, f"job:cut:{name}", Origin(span)),))
        return name, self.inside(cut(word.text, len(name) + 1))

    def inside(self, value: Text) -> Text:
        """A folder of the container, as a folder of the tree when it is one."""
        known = value.known
        for mount in self.policy.point.mounts if known is not None else ():
            path = posixpath.normpath((known or "").removeprefix(mount))
            if (known or "").startswith(mount) and self.tree.is_dir(self.policy.place(path)):
                return Text((self.root, Lit(f"/{self.policy.place(path)}")))
        return value


class _Added:
    """A tree with some files more, or other ones."""

    def __init__(self, tree: WatchedTree, files: dict[str, bytes]) -> None:
        self._tree = tree
        self.files_added = files
        self.name = tree.name

    def read(self, path: str) -> bytes | None:
        return self.files_added[path] if path in self.files_added else self._tree.read(path)

    def is_dir(self, path: str) -> bool:
        return self._tree.is_dir(path)

    def files(self, folder: str = "") -> tuple[str, ...]:
        return self._tree.files(folder)


def _start(step: Started, root: Hole, files: Mapping[str, str]) -> tuple[bytes, Env]:
    """A script that runs the step's, and its variables. It exports them anew: what is then handed
    on is all that the next script gets, without what was taken away on the way."""
    names = [name for name in step.env if _NAME.fullmatch(name)]
    lines = [f'export {name}="${name}"' for name in names]
    env: Env = {name: step.env[name] for name in names}
    if step.cwd is not None:
        env["__folder"] = step.cwd
        lines.append('cd "$__folder"')
    for index, (name, content) in enumerate(files.items()):
        env[f"__file_{index}"] = lit(content)
        lines.append(f'printf %s "$__file_{index}" > {shlex.quote(name)}')
    env["__script"] = Text((root, Lit(f"/{step.path}")))
    words = []
    for index, word in enumerate(step.words):
        env[f"__word_{index}"] = word.text
        words.append(f"$__word_{index}" if word.splits else f'"$__word_{index}"')
    lines.append(" ".join(('bash "$__script"', *words)))
    return "\n".join((*lines, "")).encode(), env


def _probed(text: str, rule: JobScript) -> bytes:
    """The job script with a command that shows the container's variables, on a line that is
    there, so that all others keep their numbers."""
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if line.startswith(rule.before)), None)
    if at is not None:
        lines[at] = f"{_PROBE} {rule.environment}; {lines[at]}"
    return "\n".join(lines).encode()


def _assigned(text: Text) -> str | None:
    first = text.pieces[0] if text.pieces else None
    name, equals, _ = (first.value if isinstance(first, Lit) else "").partition("=")
    return name if equals and _NAME.fullmatch(name) else None


def _nodes(command: Command) -> int | None:
    """The value of `-N` or `--nodes`."""
    words = [word.text.known or "" for word in command.argv]
    for option, value in zip(words, [*words[1:], ""], strict=True):
        if option.startswith("--nodes="):
            option, _, value = option.partition("=")
        if option in ("-N", "--nodes") and value.isdigit() and len(value) < 6:
            return int(value)
    return None


def _unknown(name: str, kind: str = "job:") -> Text:
    return Text((Hole(f"{name} of the job", f"{kind}job:{name}"),))


def _shown(env: Env) -> frozenset[tuple[str, str]]:
    return frozenset((k, v if isinstance(v, str) else v.display()) for k, v in env.items())
