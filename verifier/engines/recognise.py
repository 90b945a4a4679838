"""Which engine, if any, a command starts, and where its own arguments begin.

Entry points: vLLM 0.33.0 `vllm/entrypoints/cli/serve.py`, `vllm/entrypoints/openai/api_server.py`;
SGLang 0.5.23 `sglang/cli/serve.py`, `sglang/launch_server.py`; TensorRT-LLM
`tensorrt_llm/commands/serve.py` @00209af1; ATOM `atom/entrypoints/openai_server.py` @ffdf3bb5;
Dynamo 1.6.1 `dynamo/{vllm,sglang,trtllm}/__main__.py`; TileRT's `tilert.pd_vllm.decode_server` as
the InferenceX recipes start it. Interpreter options: CPython 3.11 `python --help`.

The shell evaluator reports the command inside a wrapper that it knows as a command of its own.
Here only wrappers unknown to it are looked through, and that is an assumption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from verifier.engines.pieces import Arg
from verifier.model.launch import EngineName
from verifier.model.record import NamedTuple

_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*t?")
_MODULES: dict[str, tuple[EngineName, str, tuple[str, ...]]] = {
    "vllm.entrypoints.openai.api_server": ("vllm", "vllm.entrypoints.openai.api_server", ()),
    "vllm.entrypoints.api_server": ("vllm", "vllm.entrypoints.api_server", ()),
    "vllm.entrypoints.cli.main": ("vllm", "vllm serve", ("serve",)),
    "vllm": ("vllm", "vllm serve", ("serve",)),
    "sglang.launch_server": ("sglang", "sglang.launch_server", ()),
    "sglang.cli.main": ("sglang", "sglang serve", ("serve",)),
    "sglang": ("sglang", "sglang serve", ("serve",)),
    "dynamo.vllm": ("vllm", "dynamo.vllm", ()),
    "dynamo.sglang": ("sglang", "dynamo.sglang", ()),
    "dynamo.trtllm": ("trtllm", "dynamo.trtllm", ()),
    "tensorrt_llm.commands.serve": ("trtllm", "trtllm-serve", ()),
    "atom.entrypoints.openai_server": ("atom", "atom.entrypoints.openai_server", ()),
    "atom.entrypoints.openai.api_server": ("atom", "atom.entrypoints.openai_server", ()),
    "tilert.pd_vllm.decode_server": ("tilert", "tilert.pd_vllm.decode_server", ()),
}
_PROGRAMS: dict[str, tuple[EngineName, str, tuple[str, ...]]] = {
    "vllm": ("vllm", "vllm serve", ("serve",)),
    "sglang": ("sglang", "sglang serve", ("serve",)),
    "trtllm-serve": ("trtllm", "trtllm-serve", ()),
}
_NO_SERVERS = frozenset({"disaggregated", "disaggregated_mpi_worker", "mm_embedding_serve"})
"""Sub-commands of trtllm-serve that start no language model of their own."""
_VALUED = frozenset("WX")
"""Interpreter options with a value; `-c` and `-m` end the options."""

_NOT_LAUNCHERS = (
    "echo printf cat tee grep egrep fgrep rg pgrep pkill pidof ps kill killall which whereis type "
    "hash command pip pip3 pipx uv conda apt apt-get dpkg rpm ls find sed awk gawk jq yq test [ "
    "[[ true false : export declare local readonly unset alias read trap set shift return exit "
    "log info warn warning error die curl wget git cp mv rm mkdir ln touch chmod chown sha256sum "
    "md5sum diff cmp head tail sort uniq cut tr wc basename dirname realpath readlink man help"
)
NOT_LAUNCHERS = frozenset(_NOT_LAUNCHERS.split())
"""Commands that name a server in their arguments without starting it."""
_TELLS = re.compile(
    r"(?:^|[_-])(?:write|log|print|echo|record|save|dump|show|quote|display|append|describe)(?:[_-]|$)"
)
"""Names of helpers that write a command down instead of running it, such as `write_command`."""
_PEELED = (
    "env exec nohup timeout gtimeout numactl taskset stdbuf mpirun mpiexec mpiexec.hydra orterun "
    "prterun srun bash sh dash zsh ksh eval xargs sudo doas time nice ionice chrt setsid chroot "
    "unbuffer script flock parallel docker podman nerdctl singularity apptainer enroot "
    "trtllm-llmapi-launch nsys ncu rocprof rocprofv3 perf strace ltrace gdb catchsegv coproc "
    "builtin source . watch"
)
PEELED = frozenset(_PEELED.split())
"""Wrappers whose inner command the shell evaluator reports by itself."""


class Entry(NamedTuple):
    """A recognised server."""

    engine: EngineName
    name: str
    start: int
    """Index of the engine's own name in the argument vector."""
    arguments: int
    """Index of the first argument of the engine's parser."""
    wrapper: str | None = None
    """The unknown command that is assumed to run it."""


def recognise(args: Sequence[Arg], kind: str = "external") -> Entry | None:
    """The server that an argument vector starts. None: it is not one."""
    direct = _at(args, 0)
    if direct is not None or not args or kind != "external":
        return direct
    first = args[0].known
    name = args[0].text.display() if first is None else first.rsplit("/", 1)[-1]
    if first is not None and (
        name in NOT_LAUNCHERS
        or _TELLS.search(name)
        or name in PEELED
        or _PYTHON.fullmatch(name)
        or name in _PROGRAMS
    ):
        return None
    for index in range(1, len(args)):
        found = _at(args, index)
        if found is not None:
            return found._replace(wrapper=name)
    return None


def names_server(words: Iterable[str | None]) -> bool:
    """Whether words (None: not known) name a server, or may do so in the first place."""
    for index, word in enumerate(words):
        if word is None:
            if index == 0:
                return True
        elif word.rsplit("/", 1)[-1] in _PROGRAMS or word in _MODULES:
            return True
    return False


def _at(args: Sequence[Arg], index: int) -> Entry | None:
    """The server whose name stands at `index`."""
    if index >= len(args):
        return None
    known = args[index].known
    name = None if known is None else known.rsplit("/", 1)[-1]
    if name is not None and name in _PROGRAMS:
        return _entry(args, index, index + 1, *_PROGRAMS[name])
    interpreter = _PYTHON.fullmatch(name) if name is not None else index == 0 or _ends(args[index])
    if not interpreter:
        return None
    module, after = _module(args, index + 1)
    if module is None or module not in _MODULES:
        return None
    return _entry(args, index, after, *_MODULES[module])


def _ends(arg: Arg) -> bool:
    """An unknown word that may be an interpreter's path, such as `$VENV/bin/python`."""
    tail = arg.text.display()
    return bool(_PYTHON.fullmatch(tail.rsplit("/", 1)[-1])) or tail.startswith("<")


def _entry(
    args: Sequence[Arg],
    start: int,
    after: int,
    engine: EngineName,
    name: str,
    words: tuple[str, ...],
) -> Entry | None:
    for word in words:
        if after >= len(args) or args[after].known != word:
            return None
        after += 1
    if engine == "trtllm" and name == "trtllm-serve" and after < len(args):
        command = args[after].known
        if command in _NO_SERVERS:
            return None
        if command in ("serve", "grpc"):
            name = "trtllm-serve" if command == "serve" else "trtllm-serve grpc"
            after += 1
    return Entry(engine, name, start, after)


def _module(args: Sequence[Arg], index: int) -> tuple[str | None, int]:
    """The module after `-m`, and the index of the first argument after it."""
    while index < len(args):
        word = args[index].known
        if word is None and args[index].open:
            # Without quotes it is options, or nothing.
            index += 1
            continue
        if word is None or not word.startswith("-") or word == "-":
            return None, index
        if word.startswith("--"):
            index += 2 if word == "--check-hash-based-pycs" else 1
            continue
        index += 1
        for position, letter in enumerate(word[1:], start=1):
            rest = word[position + 1 :]
            if letter == "m":
                if rest:
                    return rest, index
                known = args[index].known if index < len(args) else None
                return known, index + 1
            if letter == "c":
                return None, index
            if letter in _VALUED:
                index += 0 if rest else 1
                break
    return None, index
