"""What a recipe runs beside its workers: the benchmark section and the setup script.

`benchmark.type: sa-bench` and its kin are srtctl's own clients (NVIDIA/srt-slurm
`benchmarks/sa_bench.py`: requests go through the chat template unless `use_chat_template` is
false). `custom` runs a command, which is followed into the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verifier.model.command import Command, Note
from verifier.model.record import NamedTuple
from verifier.model.text import Lit, Origin, Span, Text, Word
from verifier.recipes.yaml_marks import YamlMap, YamlScalar

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.policy import Policy

_ASSIGNMENTS = ("env", "exec", "sudo")


class Followed(NamedTuple):
    """Commands in order, and what could not be followed."""

    commands: tuple[Command, ...] = ()
    assumptions: tuple[Note, ...] = ()
    unresolved: tuple[Note, ...] = ()
    texts: Mapping[str, str] = {}


def follow(
    root: YamlMap, tree: Tree, policy: Policy, env: Mapping[str, str], closed: bool
) -> Followed:
    """Everything that the recipe runs on its client node and before its workers start."""
    parts = [_setup(root, tree, policy), _client(root, tree, policy, env, closed)]
    return Followed(
        tuple(command for part in parts for command in part.commands),
        tuple(note for part in parts for note in part.assumptions),
        tuple(note for part in parts for note in part.unresolved),
        {path: text for part in parts for path, text in part.texts.items()},
    )


def _setup(root: YamlMap, tree: Tree, policy: Policy) -> Followed:
    node = root.get("setup_script")
    if not isinstance(node, YamlScalar) or node.value is None:
        return Followed()
    name = node.text.removeprefix("/configs/")
    path = policy.place(policy.point.setup_scripts.replace("{script}", name))
    if ".." in path.split("/") or tree.read(path) is None:
        text = f"the setup script {node.text} is not in this tree; srtctl brings it"
        return Followed(assumptions=(Note(span=node.span, text=text),))
    return _evaluated(path, (), tree, policy, {}, False, node.span)


def _client(
    root: YamlMap, tree: Tree, policy: Policy, env: Mapping[str, str], closed: bool
) -> Followed:
    section = root.mapping("benchmark")
    kind = section.get("type")
    if not isinstance(kind, YamlScalar) or kind.value is None:
        return Followed()
    if kind.text != "custom":
        return Followed(commands=(_own_client(kind, section),))
    command = section.get("command")
    if not isinstance(command, YamlScalar) or not command.text.strip():
        text = "the custom benchmark names no command"
        return Followed(unresolved=(Note(span=kind.span, text=text),))
    variables = {
        str(name): entry.node.text
        for name, entry in section.mapping("env").entries.items()
        if isinstance(entry.node, YamlScalar) and entry.node.value is not None
    }
    notes: tuple[Note, ...] = ()
    if not closed:
        # With every input unknown, all that such a command could do is read at great cost.
        env = {**_sample(root, section), **env}
        text = "the benchmark command is followed for a throughput job of concurrency 1"
        notes = (Note(span=command.span, text=text),)
    found = _custom(command, tree, policy, {**env, **variables})
    return found._replace(assumptions=(*found.assumptions, *notes))


def _sample(root: YamlMap, section: YamlMap) -> dict[str, str]:
    """Variables of one ordinary job; what the recipe itself says is taken from it."""
    model = root.mapping("identity").mapping("model").string("repo")
    command = section.string("command") or ""
    return {
        "MODEL": model or root.mapping("model").string("path") or "model",
        "MODEL_PREFIX": "model",
        "FRAMEWORK": f"dynamo-{root.mapping('backend').string('type') or 'sglang'}",
        "PRECISION": root.mapping("model").string("precision") or "fp4",
        "CONC": "1",
        "CONC_LIST": "1",
        "ISL": "0",
        "OSL": "0",
        "MAX_MODEL_LEN": "0",
        "RANDOM_RANGE_RATIO": "0.8",
        "DURATION": "3600",
        "RESULT_DIR": "/logs/agentic",
        "RESULT_FILENAME": "result",
        "KV_OFFLOADING": "none",
        "TOTAL_CPU_DRAM_GB": "0",
        "IS_MULTINODE": "true",
        "IS_AGENTIC": "1" if "agentic" in command else "0",
        "RUN_EVAL": "false",
        "EVAL_ONLY": "false",
        "PORT": "8000",
    }


def _own_client(kind: YamlScalar, section: YamlMap) -> Command:
    """srtctl's client as a command: its settings as flags, the chat template spelled out."""
    words = [_word(kind.text, kind.span)]
    template = section.get("use_chat_template")
    off = isinstance(template, YamlScalar) and template.value is False
    for key, (span, node) in section.entries.items():
        if key in ("type", "use_chat_template") or not isinstance(node, YamlScalar):
            continue
        if node.value is not None:
            words += [_word(f"--{str(key).replace('_', '-')}", span), _word(node.text, node.span)]
    if not off:
        span = template.span if template is not None else kind.span
        words.append(_word("--use-chat-template", span))
    return Command(argv=tuple(words), span=kind.span)


def _word(text: str, span: Span) -> Word:
    return Word(Text((Lit(text, Origin(span, "benchmark section")),)))


def _custom(command: YamlScalar, tree: Tree, policy: Policy, env: Mapping[str, str]) -> Followed:
    words = split(command.text)
    if words is None:
        text = f"the command {command.text[:80]!r} is more than one simple command"
        return Followed(unresolved=(Note(span=command.span, text=text),))
    line = Command(argv=tuple(_word(w, command.span) for w in words), span=command.span, env={})
    while words and (words[0] in _ASSIGNMENTS or "=" in words[0]):
        if words[0] not in _ASSIGNMENTS:
            name, _, value = words[0].partition("=")
            env = {**env, name: value}
        words = words[1:]
    if words and words[0].rsplit("/", 1)[-1] in ("bash", "sh"):
        words = words[1:]
    if not words or not words[0].endswith(".sh"):
        return Followed(commands=(line,))
    path = in_tree(words[0], policy)
    if path is None or tree.read(path) is None:
        text = f"the script {words[0]} is not in this tree, so what it runs is not known"
        return Followed(commands=(line,), unresolved=(Note(span=command.span, text=text),))
    found = _evaluated(path, tuple(words[1:]), tree, policy, env, True, command.span)
    return found._replace(commands=(line, *found.commands))


def split(text: str) -> list[str] | None:
    """The words of one simple command; None when it is anything more, or has expansions."""
    import bashlex

    try:
        trees = bashlex.parse(text.strip())
    except Exception:
        # bashlex raises many kinds of errors on what it does not know.
        return None
    if len(trees) != 1 or trees[0].kind != "command":
        return None
    words = []
    for part in trees[0].parts:
        if part.kind not in ("word", "assignment") or part.parts:
            return None
        words.append(part.word)
    return words


def in_tree(path: str, policy: Policy) -> str | None:
    """Where a job's path lies in the tree: below a mount of the checkout, or relative."""
    for mount in policy.point.mounts:
        if path.startswith(mount):
            path = policy.place(path[len(mount) :])
            break
    if path.startswith(("/", "~")) or ".." in path.split("/"):
        return None
    return path


def _evaluated(
    path: str,
    arguments: tuple[str, ...],
    tree: Tree,
    policy: Policy,
    env: Mapping[str, str],
    closed: bool,
    caller: Span,
) -> Followed:
    from verifier.shell.evaluate import evaluate
    from verifier.shell.options import Options

    options = Options(closed=closed, env=env, limits=policy.limits, arguments=arguments)
    result = evaluate(path, tree, options)
    data = tree.read(path) or b""
    return Followed(
        tuple(_called(result.commands, caller)),
        result.assumptions,
        result.unresolved,
        {path: data.decode("utf-8", "replace")},
    )


def _called(commands: tuple[Command, ...], caller: Span) -> Iterator[Command]:
    from verifier.model.record import replace

    for command in commands:
        yield replace(command, calls=(caller, *command.calls))
