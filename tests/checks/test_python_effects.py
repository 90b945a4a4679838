"""What Python programs write, read from their syntax trees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks import python_effects
from checks.engine_paths import EnginePaths
from verifier.model.command import Command
from verifier.model.text import Hole, Lit, Span, Text, Word, hole, lit
from verifier.policy import DEFAULT

SPAN = Span("run.sh", 5)
PATHS = EnginePaths((), DEFAULT)


def python(source: str, *arguments: str, env: dict[str, str] | None = None) -> Command:
    words = ("python3", "-", *arguments)
    return Command(
        argv=tuple(Word(lit(word)) for word in words),
        span=SPAN,
        stdin=lit(source),
        env={name: lit(value) for name, value in (env or {}).items()},
    )


def guarded(source: str, *arguments: str, env: dict[str, str] | None = None) -> list[int]:
    effects = python_effects.of(python(source, *arguments, env=env), {}, PATHS)
    return [write.line for write in effects.writes if write.guarded]


ENGINE = [
    'open("/usr/lib/python3/dist-packages/vllm/a.py", "w")',
    'open("/usr/lib/python3/dist-packages/vllm/a.py", mode="a")',
    'import vllm\nopen(vllm.__file__, "w")',
    'import vllm.envs as e\nopen(e.__file__, "r+")',
    'from vllm import envs\nopen(envs.__file__, "w")',
    'import vllm, os\nopen(os.path.join(os.path.dirname(vllm.__file__), "a.py"), "w")',
    'import importlib.util as u\nopen(u.find_spec("sglang.srt").origin, "w")',
    'from importlib.util import find_spec\nopen(find_spec("vllm").origin, "wb")',
    'import importlib\nm = importlib.import_module("vllm")\nopen(m.__file__, "w")',
    'import site\nopen(site.getsitepackages()[0] + "/vllm/a.py", "w")',
    'import sysconfig\nopen(sysconfig.get_paths()["purelib"] + "/vllm/a.py", "w")',
    'import inspect, vllm\nopen(inspect.getfile(vllm), "w")',
    'from pathlib import Path\nimport vllm\n(Path(vllm.__file__).parent / "a.py").write_text("x")',
    'from pathlib import Path\nPath("/sgl-workspace/sglang/a.py").write_bytes(b"")',
    'from pathlib import Path\np = Path("/opt/vllm/a.py")\nwith p.open("w") as f:\n  pass',
    'from pathlib import Path\nfor p in Path("/opt/vllm").rglob("*.py"):\n  p.write_text("")',
    'import shutil, vllm\nshutil.copy("a.py", vllm.__path__[0])',
    'import os\nos.replace("a.py", "/opt/vllm/a.py")',
    'import os\nos.remove("/opt/vllm/a.py")',
    'import fileinput\nfor l in fileinput.input("/opt/vllm/a.py", inplace=True):\n    print(l)',
    'for n in ["a", "b"]:\n    open(f"/opt/vllm/{n}.py", "w")',
    'def f(p):\n    open(p, "w")\n\n\nf("/opt/vllm/a.py")',
    'def root():\n    import vllm\n    return vllm.__path__[0]\n\n\nopen(root() + "/a.py", "w")',
    'class A:\n    open("/opt/vllm/a.py", "w")',
    'try:\n    open("/opt/vllm/a.py", "w")\nexcept OSError:\n    pass',
    'if True:\n    pass\nelse:\n    open("/opt/vllm/a.py", "w")',
    'p = "/opt/vllm/a.py" if x else "/tmp/a.py"\nopen(p, "w")',
    'open("%s/a.py" % "/opt/vllm", "w")\nopen("/opt/vllm/%s.py" % x, "w")',
    '[open(p, "w") for p in ["/opt/vllm/a.py"]]',
]


@pytest.mark.parametrize("source", ENGINE)
def test_writes_to_the_engine(source: str) -> None:
    assert guarded(source)


HARMLESS = [
    'open("/usr/lib/python3/dist-packages/vllm/a.py")',
    'open("/usr/lib/python3/dist-packages/vllm/a.py", "rb").read()',
    "import vllm\nprint(vllm.__file__)",
    'open("/tmp/a.py", "w")',
    'import lm_eval\nopen(lm_eval.__file__, "w")',
    'from pathlib import Path\nPath("/opt/vllm/a.py").read_text()',
    "x = \"open('/opt/vllm/a.py', 'w')\"",
    '# open("/opt/vllm/a.py", "w")',
    'def never_called():\n    open("/opt/vllm/a.py", "w")',
    'import vllm, shutil\nshutil.copy(vllm.__file__, "/tmp/a.py")',
    "import json, sys\njson.dump({}, sys.stdout)",
    'text = "a".replace("b", "c")',
]


@pytest.mark.parametrize("source", HARMLESS)
def test_harmless_programs(source: str) -> None:
    assert guarded(source) == []


def test_arguments_and_environment_are_followed() -> None:
    source = (
        'import sys, os\nopen(sys.argv[1] + "/a.py", "w")\nopen(os.environ["R"] + "/b.py", "w")'
    )
    assert guarded(source, "/opt/vllm", env={"R": "/tmp"}) == [2]
    assert guarded(source, "/tmp", env={"R": "/opt/vllm"}) == [3]


def test_a_place_found_by_another_command_is_followed() -> None:
    finder = Command(
        argv=tuple(Word(lit(w)) for w in ("python3", "-c", "import vllm; print(vllm.__file__)")),
        span=Span("run.sh", 2, 10),
    )
    paths = EnginePaths((finder,), DEFAULT)
    place = Text((Hole("output of python3", "output:run.sh:2:10#1"), Lit("/a.py")))
    command = Command(
        argv=(Word(lit("python3")), Word(lit("-")), Word(place)),
        span=SPAN,
        stdin=lit('import sys\nopen(sys.argv[1], "w")'),
    )
    effects = python_effects.of(command, {}, paths)
    assert [write.guarded for write in effects.writes] == [True]
    assert paths.guarded(place)
    assert not paths.guarded(hole("X is an input", "input:X"))


def test_commands_that_a_program_runs() -> None:
    source = (
        'import subprocess\nsubprocess.run(["pip", "install", "vllm"])\nimport os\nos.system("a b")'
    )
    effects = python_effects.of(python(source), {}, PATHS)
    assert effects.commands == (("pip", "install", "vllm"), ("a", "b"))


def test_a_file_of_the_tree_is_read() -> None:
    command = Command(argv=(Word(lit("python3")), Word(lit("-u")), Word(lit("fix.py"))), span=SPAN)
    texts = {"fix.py": 'open("/opt/vllm/a.py", "w")'}
    assert python_effects.of(command, texts, PATHS).writes[0].guarded


@pytest.mark.parametrize("source", ["def open(:", "open(\0)", "print open"])
def test_text_that_is_no_python_says_so(source: str) -> None:
    assert python_effects.of(python(source), {}, PATHS).problem


def test_deep_and_long_programs_end() -> None:
    deep = "open(" + "(" * 300 + "1" + ")" * 300 + ")"
    python_effects.of(python(deep), {}, PATHS)
    recursive = "def f(x):\n    f(x)\n    f(x)\n\n\nf(1)"
    python_effects.of(python(recursive), {}, PATHS)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_survived(source: str) -> None:
    python_effects.of(python(source), {}, PATHS)
