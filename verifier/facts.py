"""From a file of the tree to the facts that checks judge.

Scripts go through the shell evaluator and the engines, YAML recipes through `verifier.recipes`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from verifier.facts_thinking import settings_of
from verifier.facts_workload import Workloads, workload_of
from verifier.model.command import Command, Evaluation, Note
from verifier.model.context import RecipeFacts
from verifier.model.record import dataclass
from verifier.model.text import UNKNOWN, Lit, Origin, Span, Text, lit
from verifier.model.tree import Tree, Unreadable
from verifier.selectors import split_selector

if TYPE_CHECKING:
    from verifier.model.launch import Launch
    from verifier.policy import Policy
    from verifier.policy_sections import Client
    from verifier.shell.options import Options

MAX_PYTHON_BYTES = 1_000_000
_READERS = frozenset("cat ls head tail grep wc diff stat test [ echo printf export".split())
"""Commands that change no file that they name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are to be read."""

    env: Mapping[str, str] | None = None
    """Inputs that are known; None or empty: all are unknown."""
    closed: bool = False
    """Every other variable is unset."""
    thinking: str | None = None
    """"on" or "off" when the caller decides it."""
    prefixes: Collection[str] = ()
    """Model prefixes known beside the policy's: those of the curves."""
    branches: bool = False
    """Also give what values that depend on the path stand for."""


OPEN = Reading()


def collect(
    paths: Iterable[str], tree: Tree, policy: Policy, reading: Reading = OPEN
) -> tuple[tuple[RecipeFacts, ...], tuple[Note, ...]]:
    """Facts of every file, and a note for each that could not be read. Never raises."""
    recipes: list[RecipeFacts] = []
    unread: list[Note] = []
    for path in paths:
        try:
            recipes.extend(read_recipe(path, tree, policy, reading))
        except Unreadable as error:
            unread.append(Note(span=Span(path, 1), text=str(error)))
        except Exception as error:
            import logging

            logging.getLogger(__name__).debug("reading %s crashed", path, exc_info=True)
            text = f"the verifier failed while reading this file ({type(error).__name__})"
            unread.append(Note(span=Span(path, 1), text=text))
    return tuple(recipes), tuple(unread)


def read_recipe(
    path: str, tree: Tree, policy: Policy, reading: Reading = OPEN
) -> tuple[RecipeFacts, ...]:
    """Facts of one script or YAML recipe; several for a recipe with variants, of which
    `file.yaml:selector` names some.

    Raises `Unreadable` for a file that is missing, empty or not text.
    """
    path, selector = split_selector(path)
    read_text(path, tree)
    if path.endswith((".yaml", ".yml")):
        from verifier.recipes import Choice, read_facts

        return tuple(read_facts(path, tree, policy, reading, Choice(selector=selector)))
    return (_script(path, tree, policy, reading),)


def read_text(path: str, tree: Tree) -> str:
    """A file's text. Raises `Unreadable` when it is missing, empty or not text."""
    data = tree.read(path)
    if data is None:
        raise Unreadable(f"{path}: there is no such file in {tree.name}")
    if not data.strip():
        raise Unreadable(f"{path} is empty")
    if b"\0" in data:
        raise Unreadable(f"{path} is a binary file")
    return data.decode("utf-8", "surrogateescape")


def _script(path: str, tree: Tree, policy: Policy, reading: Reading) -> RecipeFacts:
    from verifier.shell.evaluate import evaluate

    evaluation = evaluate(path, tree, script_options(policy, reading))
    return script_facts(evaluation, tree, policy, reading)


def script_options(policy: Policy, reading: Reading) -> Options:
    """How the shell evaluates a script that is read in this way."""
    from verifier.shell.options import Options

    return Options(
        closed=reading.closed,
        env=reading.env or {},
        limits=policy.limits,
        exact=partial(_is_judged, policy),
        branches=reading.branches,
    )


def script_facts(
    evaluation: Evaluation, tree: Tree, policy: Policy, reading: Reading
) -> RecipeFacts:
    """The facts of a script whose commands are known."""
    path = evaluation.path
    launches = read_launches(evaluation, policy, path, tree)
    clients = tuple(c for c in evaluation.commands if client_of(c, policy) is not None)
    evaluations = tuple(c for c in evaluation.commands if is_evaluation(c, policy))
    workload, reason = workload_of(
        Workloads(path=path, root=root_of(tree), policy=policy),
        [(c.name or "", client) for c in clients if (client := client_of(c, policy))],
        (reading.env or {}).get("IS_AGENTIC"),
    )
    prefix, prefix_reason, problem = prefix_of(path, launches, policy, reading)
    return RecipeFacts(
        path=path,
        start=Span(path, 1),
        workload=workload,
        workload_reason=reason,
        model_prefix=prefix,
        prefix_reason=prefix_reason,
        prefix_problem=problem,
        thinking=reading.thinking,
        thinking_settings=tuple(settings_of(launches, clients, policy)),
        launches=launches,
        commands=evaluation.commands,
        clients=clients,
        evaluations=evaluations,
        texts=dict(_python_files(evaluation, path, tree)),
        assumptions=evaluation.assumptions,
        unresolved=evaluation.unresolved,
        branches=evaluation.branches,
        ended=evaluation.ended,
    )


def _is_judged(policy: Policy, words: Sequence[str | None]) -> bool:
    """Whether a command with these words may be a server, a client or an evaluation."""
    from verifier.engines.recognise import names_server

    name = words[0] or ""
    return name in policy.clients or name in policy.eval_clients or names_server(words)


def read_launches(
    evaluation: Evaluation, policy: Policy, path: str, tree: Tree
) -> tuple[Launch, ...]:
    """Server launches in order; a wrapper and the command it runs give one."""
    from verifier.engines import read_launch

    launches: dict[object, Launch] = {}
    named: set[str] = set()
    for command in evaluation.commands:

        def read_file(name: str) -> Text | None:
            # What another command may have rewritten is not what the tree holds.
            found = None if name in named else _in_tree(name, path, tree)
            return None if found is None else lit(found[1], Origin(Span(found[0], 1), "read"))

        launch = read_launch(command, policy, read_file=read_file)
        if launch is not None:
            words = tuple((word.text.key, word.splits) for word in launch.argv)
            key = (launch.span.path, launch.span.line, words, launch.when, command.calls)
            launches.setdefault(key, launch)
        elif command.name not in _READERS:
            named.update(word.text.known or "" for word in command.argv)
    return tuple(launches.values())


def client_of(command: Command, policy: Policy) -> Client | None:
    """The benchmark client that a command is."""
    client = policy.clients.get(command.name or "")
    if client is None:
        return None
    words = tuple(word.text.known for word in command.argv[1 : 1 + len(client.arguments)])
    return client if words == client.arguments else None


def is_evaluation(command: Command, policy: Policy) -> bool:
    """Whether a command evaluates accuracy against the running server."""
    name = command.name or ""
    if name in policy.eval_clients:
        return True
    if not name.startswith("python") or len(command.argv) < 3:
        return False
    flag, module = (word.text.known for word in command.argv[1:3])
    return flag == "-m" and module in policy.eval_clients


def root_of(tree: Tree) -> str:
    """Where a local tree lies, or "" for any other."""
    return str(getattr(tree, "root", "") or "")


def prefix_of(
    path: str, launches: Iterable[Launch], policy: Policy, reading: Reading
) -> tuple[str | None, str, str | None]:
    """(model prefix, where it comes from, problem): MODEL_PREFIX, then the file name, then the
    served model."""
    known = set(policy.model_prefixes.values()) | set(reading.prefixes)
    found: list[tuple[str, str]] = []
    given = (reading.env or {}).get("MODEL_PREFIX")
    if given:
        found.append((given, f"MODEL_PREFIX={given}"))
    name = posixpath.basename(path)
    stem = name.partition("_")[0] if "_" in name else ""
    if stem in known:
        found.append((stem, f"the file name {name}"))
    for launch in launches:
        for model in (launch.model, launch.served_model_name):
            text = None if model is None else model.known
            prefix = policy.prefix_of_model(text) if text else None
            if prefix is not None:
                found.append((prefix, f"the served model {text}"))
    if not found:
        if stem:
            return stem, f"the file name {name}", None
        return None, "", "nothing names the model: no MODEL_PREFIX, no known file name or model"
    prefix, reason = found[0]
    for other, why in found[1:]:
        if not same_family(prefix, other):
            return prefix, reason, f"{reason} says {prefix}, but {why} says {other}"
    return prefix, reason, None


def same_family(one: str, other: str) -> bool:
    """Whether two prefixes are of one model: `dsv4dspark` is `dsv4` with another draft."""
    short, long = sorted((one, other), key=len)
    return short == long or long.removeprefix(short) in ("dspark", "dsparkprob")


def _python_files(evaluation: Evaluation, path: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """Python files of the tree that the script runs, by the name it uses: `UNKNOWN` stands for
    the folder that the script was called from."""
    from verifier.shell.files import tree_path

    seen: set[str] = set()
    for command in evaluation.commands:
        for word in command.argv:
            last = word.text.pieces[-1] if word.text.pieces else None
            if not isinstance(last, Lit) or not last.value.endswith(".py"):
                continue
            shown = "".join(p.value if isinstance(p, Lit) else UNKNOWN for p in word.text.pieces)
            if shown in seen:
                continue
            seen.add(shown)
            name = word.text.known or tree_path(word.text)
            found = None if name is None else _in_tree(name, path, tree)
            if found is not None:
                yield shown, found[1]


def _in_tree(name: str, script: str, tree: Tree) -> tuple[str, str] | None:
    """(path in the tree, text) of a file by the name that a script uses."""
    folder = posixpath.dirname(script)
    for place in (name, posixpath.join(folder, name), name.removeprefix("/workspace/")):
        normal = posixpath.normpath(place)
        if normal.startswith(("/", "..")):
            continue
        try:
            data = tree.read(normal)
        except Unreadable:
            return None
        if data is not None and len(data) <= MAX_PYTHON_BYTES:
            return normal, data.decode("utf-8", "replace")
    return None
