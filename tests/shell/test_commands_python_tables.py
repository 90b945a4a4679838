"""Python programs that read a YAML table and print assignments, against Python itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verifier.model.text import Hole, Lit, Text, lit
from verifier.shell.commands import Call, NotModelled, run
from verifier.shell.files import CALLED_FROM

TABLE = """\
# one entry for each model — as the scripts read it
Big-Model: &big
  flags: "--a 1 --b"
  env: 'A=1 B="x"'
  share: 0.8
  off: true
  none:
  prefill: {formula: "PER_RANK * TP // 2", range: "2-64"}
Other:
  <<: *big
  share: 1
  prefill: {formula: 4096, range: 7}
"""
ASSIGNMENTS = """
import os, sys, yaml

name = 'NAME'
agentic = '0'.strip().lower() in ('1', 'true')
key = f'{name}-AgentX' if agentic else f'{name}-DI'
with open('TABLE') as f:
    models = yaml.safe_load(f)
if key not in models:
    if name in models:
        key = name
    else:
        print(f'echo "no {key}"; exit 1')
        sys.exit(0)
m = models[key]

def formula(val):
    \"\"\"A number, or arithmetic over the environment.\"\"\"
    if isinstance(val, (int, float)):
        return int(val)
    s = str(val)
    ns = {}
    for k, v in os.environ.items():
        try:
            ns[k] = int(v)
        except (ValueError, TypeError):
            pass
    try:
        return int(eval(s, {'__builtins__': {}}, ns))
    except Exception as e:
        print(f'echo "{s} ({e})"', file=sys.stderr)
        return val

def both(text, first, last=9):
    if '-' in str(text):
        s, e = str(text).split('-')
        return s, e
    return str(first), str(last)

def escape(s):
    return s.replace('"', '\\\\"')

print(f'FLAGS="{m.get("flags", "")}"')
print(f'SHARE="{m.get("share", 0.5)}" OFF="{m.get("off", False)}" NONE="{m.get("none")}"')
print(f"ENV='{escape(m.get('env', ''))}' {m.get('missing', '')!r}")
prefill = m.get('prefill', {}) or {}
print(f'SIZE="{formula(prefill.get("formula", 1))}"')
s, e = both(prefill.get('range', '1-128'), 1)
print(f'RANGE="{s} {e}"')
for k, v in (prefill or {}).items():
    if k == 'range':
        break
    print(f'export {k}={v!r}')
"""
WORLD = {"PER_RANK": "256", "TP": "8", "WORD": "x"}


def really(program: str) -> str:
    found = subprocess.run(
        [sys.executable, "-c", program], env=WORLD, capture_output=True, text=True, check=False
    )
    assert not found.returncode, found.stderr
    return found.stdout


def modelled(program: str, world: dict[str, str], table: str = TABLE) -> str | None:
    def read(name: Text) -> Text | None:
        return lit(table) if name.known is None or name.known.endswith("table.yaml") else None

    def environment() -> dict[str, Text]:
        return {name: lit(value) for name, value in world.items()}

    try:
        found = run(Call((lit("python3"), lit("-c"), lit(program)), None, read, environment))
    except NotModelled:
        return None
    return found.stdout.known


@pytest.mark.parametrize("name", ["Big-Model", "Other", "None-Such"])
def test_a_table_becomes_assignments(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(TABLE, encoding="utf-8")
    program = ASSIGNMENTS.replace("NAME", name).replace("TABLE", str(path))
    assert modelled(program, WORLD) == really(program)


@pytest.mark.parametrize(
    "program",
    [
        "x = 1\ndef f(a, b=2):\n    x = a + b\n    return x\nprint(f(1), f(1, 3), f(b=1, a=0), x)",
        "def f():\n    pass\nprint(f())",
        "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nprint(f(6))",
        "d = {}\nfor i in range(3):\n    d[i] = i * i\nprint(d)",
        "d = {'a': 1}\nfor k in d:\n    d[k] = 2\nprint(d)",
        "for i in [1, 2, 3]:\n    if i == 1:\n        continue\n    print(i)\n    break",
        "try:\n    x = int('a')\nexcept ValueError:\n    x = 0\nelse:\n    x = 1\nprint(x)",
        "try:\n    x = {'a': 1}['b']\nexcept (IndexError, KeyError) as e:\n    x = 2\nprint(x)",
        "import os\nprint(os.environ['TP'], os.environ.get('TP', '1'))",
        "import yaml\nprint(yaml.safe_load('a: [1, 2]\\nb: no'))",
        "import yaml\nprint(yaml.load('a: 1', Loader=yaml.SafeLoader))",
        "print(eval('(A + 2) * 3', {'__builtins__': {}}, {'A': 4}))",
    ],
)
def test_programs_agree(program: str) -> None:
    assert modelled(program, WORLD) == really(program)


@pytest.mark.parametrize(
    "program",
    [
        "import os\nprint(os.environ.get('HOME', 'none'))",
        "import os\nprint('HOME' in os.environ)",
        "import os\nprint(len(os.environ))",
        "import os\nn = 0\nfor k in os.environ:\n    n += 1\nprint(n)",
        "import os\nd = {}\nfor k, v in os.environ.items():\n    d[k] = v\nprint(len(d))",
        "import os\nd = {}\nfor k, v in os.environ.items():\n    d[v] = k\nprint(d['8'])",
        "import os\nd = {}\nfor k, v in os.environ.items():\n    d[k] = v\nprint(d.get('HOME', 1))",
        "e = 5\ntry:\n    x = int('a')\nexcept ValueError as e:\n    pass\nprint(e)",
        "x = 1\ndef f():\n    print(x)\n    x = 2\nf()",
        "def f(len):\n    return len([1])\nprint(f(3))",
        "def f(g):\n    return g(1)\ndef g(x):\n    return x\nprint(f(g))",
        "d = {'a': 1}\nfor k in d:\n    d[k + 'b'] = 2\nprint(d)",
        "d = {'a': {}}\nfor k in d['a']:\n    pass\nimport yaml\nyaml.safe_load('{}')['x'] = 1\nprint(1)",
        "import yaml\nprint(yaml.safe_load('a: !!python/object:x {}'))",
        "import yaml\nprint(yaml.load('a: 1'))",
        "import yaml\nprint(yaml.load('a: 1', Loader=yaml.Loader))",
        "with open('nowhere') as f:\n    print(f.read())",
        "with open('table.yaml', 'w') as f:\n    pass\nprint(1)",
        "print(eval('A', {'__builtins__': {}}, {}))",
        "print(eval('len([1])', {'__builtins__': {}}, {}))",
        "print(eval('1'))",
        "try:\n    print(1 + 'a')\nexcept TypeError:\n    print(2)",
    ],
)
def test_what_is_not_known_is_not_modelled(program: str) -> None:
    assert modelled(program, WORLD) is None


def test_a_formula_over_an_unknown_variable_is_not_guessed(tmp_path: Path) -> None:
    program = ASSIGNMENTS.replace("NAME", "Big-Model").replace("TABLE", "table.yaml")
    assert modelled(program, {"TP": "8"}) is None


def test_a_table_beside_the_script() -> None:
    folder = Hole("the folder that the script is called from", CALLED_FROM)
    start, end = "import yaml\nwith open('", "') as f:\n    m = yaml.safe_load(f)\nprint(m['a'])\n"
    asked: list[Text] = []

    def read(name: Text) -> Text | None:
        asked.append(name)
        return lit("a: 1")

    program = Text((Lit(start), folder, Lit("x/table.yaml"), Lit(end)))
    found = run(Call((lit("python3"), lit("-c"), program), None, read))
    assert found.stdout.known == "1\n"
    assert asked == [Text((folder, Lit("x/table.yaml")))]
    for use in ("print(p)", "print(len(p))", "print(p == '')", "print(f'{p}')", "print(p + 'a')"):
        text = Text((Lit("p = '"), folder, Lit(f"x'\n{use}\n")))
        with pytest.raises(NotModelled):
            run(Call((lit("python3"), lit("-c"), text), None, read))


def test_merge_keys_cannot_explode() -> None:
    levels = ["a0: &a0 {x: 1}"]
    levels += [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 30)]
    program = "import yaml\nprint(len(yaml.safe_load(open('table.yaml').read())))"
    assert modelled(program, {}, "\n".join(levels)) is None
