"""Which command a wrapper runs, and with what."""

from __future__ import annotations

import pytest

from tests.shell.real import text
from verifier.model.text import Word
from verifier.shell.commands.wrappers import Inner, peel


def words(line: str) -> tuple[Word, ...]:
    """Words of a line; `<X>` is a hole and a leading `*` one that splits; `_` stands for a blank."""
    return tuple(
        Word(text(w.removeprefix("*").replace("_", " ")), splits=w.startswith("*<"))
        for w in line.split()
    )


def peeled(line: str) -> Inner:
    inner = peel(words(line))
    assert inner is not None
    return inner


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("env A=1 srv --x", "srv --x"),
        ("env -i -u B -- A=1 srv", "srv"),
        ("env -S srv_--x", "srv --x"),
        ("exec -a name -c srv", "srv"),
        ("nohup srv --x", "srv --x"),
        ("timeout -k 5 --signal=KILL 30m srv", "srv"),
        ("timeout --foreground -s TERM <T> srv", "srv"),
        ("numactl --cpunodebind=0 --membind 0 srv --x", "srv --x"),
        ("numactl -N 0 -m0 -l srv", "srv"),
        ("taskset -c 0-7 srv", "srv"),
        ("stdbuf -oL -eL srv", "srv"),
        ("nice -n 10 srv", "srv"),
        ("nice -10 srv", "srv"),
        ("ionice -c2 -n0 srv", "srv"),
        ("setsid -w srv", "srv"),
        ("mpirun -n 1 --oversubscribe --allow-run-as-root srv -x", "srv -x"),
        ("mpirun --mca btl ^openib -x A=1 -x B -np <N> srv", "srv"),
        ("srun --jobid=<J> -N 2 --ntasks-per-node 1 --mpi=pmix srv --x", "srv --x"),
        ("srun --exclusive --container-image=<I> --no-container-mount-home srv", "srv"),
        ("sudo -E -u root A=1 srv", "srv"),
        ("command -p srv", "srv"),
        ("trtllm-llmapi-launch srv serve m", "srv serve m"),
        ("nsys profile -t cuda -o out --force-overwrite=true srv", "srv"),
        ("chrt -f 99 srv", "srv"),
        (
            "docker run --rm -it --gpus all -e A=1 -eB=2 --network=host -v a:b img srv --x",
            "srv --x",
        ),
        ("docker exec -d -e A=1 box srv", "srv"),
        ("docker run --entrypoint srv img --x", "srv --x"),
        ("xargs -0 -n 1 srv --x", "srv --x"),
        ("flock -n lock srv", "srv"),
        ("time -p srv", "srv"),
        ("/usr/bin/env srv", "srv"),
        ("uv run --no-sync srv", "srv"),
    ],
)
def test_the_inner_command(line: str, command: str) -> None:
    inner = peeled(line)
    assert [w.text for w in inner.words] == [w.text for w in words(command)]
    assert inner.uncertain is None


@pytest.mark.parametrize(
    "line",
    [
        "ls -l", "env", "env A=1", "command -v srv", "timeout 5", "numactl --show", "taskset -p 12",
        "docker ps", "docker rm -f x", "sudo -v", "nsys stats x",
    ],
)  # fmt: skip
def test_no_inner_command(line: str) -> None:
    assert peel(words(line)) is None


@pytest.mark.parametrize(
    "line",
    [
        "env --frobnicate srv", "timeout *<OPTS> 5 srv", "srun --frob srv", "mpirun -frob srv",
        "mpirun -n 1 a : -n 2 b", "docker run img --x", "xargs -i srv {}", "sudo srv", "nice -q srv",
        "srun --cpus-<X> srv",
    ],
)  # fmt: skip
def test_doubts_are_told(line: str) -> None:
    assert peeled(line.replace("<OPTS>", "<O>")).uncertain


def test_environments() -> None:
    inner = peeled("env -i -u B A=1 C=<X> srv")
    assert inner.clean
    assert inner.removed == ("B",)
    assert inner.assignments == (("A", text("1")), ("C", text("<X>")))
    inner = peeled("mpirun -x A=<X> -x B -genv C 3 srv")
    assert inner.assignments == (("A", text("<X>")), ("C", text("3")))
    inner = peeled("srun --export=ALL,A=1 srv")
    assert not inner.clean
    assert inner.assignments == (("A", text("1")),)
    inner = peeled("srun --export=A,B=1 --container-image=x srv")
    assert (inner.clean, inner.passed, inner.container) == (True, ("A",), True)
    inner = peeled("docker run -e A=1 -e B --env C=<X> img srv")
    assert inner.clean
    assert inner.container
    assert inner.passed == ("B",)
    assert inner.assignments == (("A", text("1")), ("C", text("<X>")))


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("bash -c srv_$1 zero one", ()),
        ("bash -lc srv_$1 zero one", ()),
        ("bash -euo pipefail -c srv_$1 zero one", ("errexit", "nounset", "pipefail")),
        ("sh -xc srv_$1 zero one", ("xtrace",)),
        ("bash --login -o pipefail -c srv_$1 zero one", ("pipefail",)),
        ("bash --norc -e -- -c srv_$1 zero one", None),
    ],
)
def test_shell_strings(line: str, options: tuple[str, ...] | None) -> None:
    inner = peeled(line)
    if options is None:
        assert inner.script_file == text("-c")
        return
    assert inner.script == text("srv $1")
    assert [w.text for w in inner.words] == [text("zero"), text("one")]
    assert inner.shell_options == options
    assert inner.uncertain is None


def test_shell_files_and_input() -> None:
    inner = peeled("bash -x run.sh a b")
    assert inner.script_file == text("run.sh")
    assert [w.text for w in inner.words] == [text("run.sh"), text("a"), text("b")]
    assert peeled("bash -s -- a").stdin_script
    assert peeled("bash").stdin_script
    assert peeled("bash -c <X>").script == text("<X>")


def test_xargs() -> None:
    assert peeled("xargs srv").stdin_words
    assert [w.text for w in peeled("xargs").words] == [text("echo")]
