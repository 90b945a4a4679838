"""Which commands start a server, and which only look like it."""

from __future__ import annotations

import shlex

import pytest

from tests.engines.build import POLICY, command, launch
from verifier.engines import read_launch

SERVERS = {
    "vllm serve m": ("vllm", "vllm serve"),
    "/opt/venv/bin/vllm serve m": ("vllm", "vllm serve"),
    "<BIN>/python -m vllm.entrypoints.openai.api_server --model m": (
        "vllm",
        "vllm.entrypoints.openai.api_server",
    ),
    "<PYTHON> -m sglang.launch_server --model-path m": ("sglang", "sglang.launch_server"),
    "python3.12 -u -m sglang.launch_server --model-path m": ("sglang", "sglang.launch_server"),
    "python3 -OO -X dev -W ignore -m dynamo.vllm --model m": ("vllm", "dynamo.vllm"),
    "python3 -um dynamo.sglang --model m": ("sglang", "dynamo.sglang"),
    "python3 -mvllm.entrypoints.openai.api_server --model m": (
        "vllm",
        "vllm.entrypoints.openai.api_server",
    ),
    "python -Bsm dynamo.trtllm --model m": ("trtllm", "dynamo.trtllm"),
    "sglang serve m": ("sglang", "sglang serve"),
    "trtllm-serve m": ("trtllm", "trtllm-serve"),
    "trtllm-serve serve m": ("trtllm", "trtllm-serve"),
    "/usr/local/bin/trtllm-serve m": ("trtllm", "trtllm-serve"),
    "python3 -m atom.entrypoints.openai_server --model m": (
        "atom",
        "atom.entrypoints.openai_server",
    ),
    "python -m tilert.pd_vllm.decode_server --model m": ("tilert", "tilert.pd_vllm.decode_server"),
    "some_launcher --x vllm serve m": ("vllm", "vllm serve"),
    "some_launcher --n 4 -- python3 -m sglang.launch_server --model-path m": (
        "sglang",
        "sglang.launch_server",
    ),
}
OTHERS = (
    "echo vllm serve m",
    "grep 'vllm serve' log",
    "pkill -f vllm",
    "pip install vllm serve",
    "vllm bench serve --model m",
    "vllm --version",
    "sglang version",
    "python3 serve.py vllm serve m",
    "python3 path/to/sglang/launch_server.py --model-path m",
    "python3 -c 'import vllm' -m vllm.entrypoints.openai.api_server",
    "python3 -m pip install vllm",
    "trtllm-serve disaggregated -c d.yaml",
    "trtllm-serve disaggregated_mpi_worker -c d.yaml",
    "python -m tilert.pd_vllm.pd_router --port 1",
    "<CMD> serve m",
    "cat vllm",
    "write_command out.txt vllm serve m",
    "log_and_note vllm serve m",
)


@pytest.mark.parametrize("line", SERVERS)
def test_server(line: str) -> None:
    found = launch(*shlex.split(line))
    assert (found.engine, found.entry) == SERVERS[line]


@pytest.mark.parametrize("line", OTHERS)
def test_not_a_server(line: str) -> None:
    assert read_launch(command(shlex.split(line)), POLICY) is None


def test_an_unknown_wrapper_is_an_assumption() -> None:
    found = launch("some_launcher", "--x", "vllm", "serve", "m", "-tp", "4")
    assert found.argv[0].text.known == "vllm"
    assert [note.text for note in found.assumptions] == [
        "some_launcher is taken to run the server named in its arguments"
    ]


def test_wrappers_of_the_shell_are_left_to_the_shell() -> None:
    for wrapper in ("timeout 10", "env A=1", "mpirun -n 8", "nohup", "exec", "srun"):
        assert read_launch(command([*wrapper.split(), "vllm", "serve", "m"]), POLICY) is None


def test_a_function_is_no_server() -> None:
    from verifier.model.record import replace

    function = replace(command(["start", "vllm", "serve", "m"]), kind="function")
    assert read_launch(function, POLICY) is None
