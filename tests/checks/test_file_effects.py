"""Which files commands change, and which paths belong to the engine."""

from __future__ import annotations

import pytest

from checks.engine_paths import EnginePaths
from checks.file_effects import effects
from verifier.model.command import Command, Write
from verifier.model.text import Span, Word, hole, lit
from verifier.policy import DEFAULT

SPAN = Span("run.sh", 5)


def targets(*words: str) -> list[str]:
    command = Command(argv=tuple(Word(lit(word)) for word in words), span=SPAN)
    return [effect.target.display() for effect in effects(command)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sed", "-i", "s/a/b/", "f"), ["f"]),
        (("sed", "-i.bak", "s/a/b/", "f", "g"), ["f", "g"]),
        (("sed", "-Ei", "s/a/b/", "f"), ["f"]),
        (("sed", "-i", "-e", "s/a/b/", "f"), ["f"]),
        (("sed", "--in-place", "--expression=s/a/b/", "f"), ["f"]),
        (("sed", "-n", "s/i/b/", "f"), []),
        (("sed", "-e", "s/-i/b/", "f"), []),
        (("sed", "s/a/b/", "f"), []),
        (("perl", "-pi", "-e", "s/a/b/", "f"), ["f"]),
        (("tee", "-a", "f", "g"), ["f", "g"]),
        (("cp", "a", "b"), ["b", "b/a"]),
        (("cp", "-r", "x/a", "y/b", "d"), ["d", "d/a", "d/b"]),
        (("cp", "-t", "d", "a"), ["d"]),
        (("ln", "-sf", "a", "b"), ["b", "b/a"]),
        (("install", "-m", "644", "a", "b"), ["b", "b/a"]),
        (("rm", "-rf", "a"), ["a"]),
        (("curl", "-fsSL", "-o", "f", "http://x"), ["f"]),
        (("wget", "-O", "f", "http://x"), ["f"]),
        (("tar", "xf", "a.tar", "-C", "d"), ["d"]),
        (("unzip", "a.zip", "-d", "d"), ["d"]),
        (("dd", "if=a", "of=b"), ["b"]),
        (("cat", "a"), []),
        (("echo", "sed", "-i", "f"), []),
    ],
)
def test_targets(words: tuple[str, ...], expected: list[str]) -> None:
    assert targets(*words) == expected


def test_redirections_are_targets() -> None:
    command = Command(argv=(Word(lit("cat")),), span=SPAN, writes=(Write(path=lit("f")),))
    assert [e.target.known for e in effects(command)] == ["f"]


@pytest.mark.parametrize(
    ("path", "cwd", "guarded"),
    [
        ("/usr/lib/python3.12/site-packages/vllm/a.py", None, True),
        ("/usr/lib/python3.12/site-packages", None, True),
        ("/usr/lib/python3.12/dist-packages/x.pth", None, True),
        ("/usr/lib/python3.12/dist-packages/lm_eval/a.py", None, False),
        ("/sgl-workspace/sglang/a.py", None, True),
        ("a.py", "/sgl-workspace/sglang", True),
        ("/tmp/../sgl-workspace/a.py", None, True),
        ("/sgl-workspace-other/a.py", None, False),
        ("/workspace/results/a.json", None, False),
        ("results/a.json", None, False),
    ],
)
def test_engine_paths(path: str, cwd: str | None, guarded: bool) -> None:
    paths = EnginePaths((), DEFAULT)
    assert paths.guarded(lit(path), None if cwd is None else lit(cwd)) is guarded


def test_an_unknown_beginning_does_not_hide_a_known_end() -> None:
    paths = EnginePaths((), DEFAULT)
    prefix = hole("PREFIX is an input", "input:PREFIX")
    assert paths.guarded(prefix + lit("/lib/python3.12/site-packages/vllm/a.py"))
    assert not paths.guarded(prefix + lit("/results/a.json"))
