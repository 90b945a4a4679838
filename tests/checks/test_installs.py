"""What installation commands bring into the image."""

from __future__ import annotations

import pytest

from checks.installs import Sources, installs, repository_of
from verifier.model.command import Command
from verifier.model.text import Span, Text, Word, hole, lit
from verifier.policy import DEFAULT

SPAN = Span("run.sh", 5)


def command(text: str, cwd: str | None = None) -> Command:
    words = []
    for word in text.split():
        unknown: Text = hole("an input", "input:X") if word == "$X" else lit(word)
        words.append(Word(unknown))
    return Command(argv=tuple(words), span=SPAN, cwd=None if cwd is None else lit(cwd))


def verdicts(text: str, *before: str, cwd: str | None = None) -> list[str]:
    sources = Sources([command(line) for line in before])
    found = installs(command(text, cwd), sources, DEFAULT.engine_sources)
    return [install.verdict for install in found]


@pytest.mark.parametrize(
    "text",
    [
        "pip install vllm",
        "pip3 install vllm==0.30.0",
        "pip3.12 install -q vllm>=0.30",
        "python3 -m pip install sglang[all]",
        "uv pip install sgl_kernel",
        "uv pip install --system flashinfer-python==0.3",
        "pip --quiet install vLLM",
        "pip install --no-deps ./vllm-0.30.0+x-cp312-none-linux_x86_64.whl",
        "pip install https://example.org/sgl_kernel-0.3.1-cp310-abi3-linux_x86_64.whl",
        "pip install git+https://github.com/x/vllm",
        "pip install git+https://github.com/x/vllm.git@abc#egg=vllm",
        "pip install git+ssh://git@github.com/x/TensorRT-LLM.git",
        "pip install -i https://example.org/simple tensorrt_llm",
        "pip install -e /opt/src/vllm",
        "pip uninstall -y vllm",
        "agentic_pip_install --quiet aiter",
    ],
)
def test_engine(text: str) -> None:
    assert "engine" in verdicts(text)


@pytest.mark.parametrize(
    "text",
    [
        "pip install datasets pandas",
        "pip install -q lm-eval[api]",
        "pip install vllm-router==0.1.14",
        "pip install --target /tmp/x vllm",
        "uv pip install --python /venv/bin/python vllm",
        "pip install --upgrade transformers",
        "pip install -c vllm numpy",
        "pip install git+https://github.com/huggingface/transformers.git@abc",
        "pip install mooncake-transfer-engine==0.3.11",
        "pip uninstall -y torchvision",
        "pip download vllm",
        "pip show vllm",
        "echo pip install vllm",
    ],
)
def test_harmless(text: str) -> None:
    assert set(verdicts(text)) <= {"other"}


@pytest.mark.parametrize("text", ["pip install $X", "pip install .", "pip install -r needs.txt"])
def test_unknown(text: str) -> None:
    assert verdicts(text) == ["unknown"]


def test_a_clone_decides_what_a_folder_holds() -> None:
    cache = "git clone https://github.com/LMCache/LMCache.git"
    fork = "git clone --depth 1 -b fast https://github.com/x/vllm.git /tmp/fork"
    assert verdicts("pip install -e .", cache, cwd="LMCache") == ["other"]
    assert verdicts("pip install -r requirements/build.txt", cache, cwd="LMCache") == ["other"]
    assert verdicts("pip install -e /tmp/fork", fork) == ["engine"]
    assert verdicts("pip install .", fork, cwd="/tmp/fork/python") == ["engine"]
    assert verdicts("python3 setup.py develop", fork, cwd="/tmp/fork") == ["engine"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/x/vllm", "vllm"),
        ("https://github.com/x/vllm.git@abc", "vllm"),
        ("git@github.com:x/sglang.git", "sglang"),
        ("git+https://github.com/x/aiter/#egg=aiter", "aiter"),
        ("https://github.com/x/vllm/archive/abc.tar.gz", "vllm"),
    ],
)
def test_repository(url: str, name: str) -> None:
    assert repository_of(url) == name
