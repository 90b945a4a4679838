"""The JSON that others rely on: `verify points` and `verify diff`, through the command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

from verifier.cli import main

SCRIPT = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
RECIPE = "benchmarks/multi_node/srt-slurm-recipes/vllm/r.yaml"
CONFIG = """\
single:
  image: vllm/vllm-openai:v1
  model: org/DeepSeek-V4-Pro
  model-prefix: dsv4
  runner: cluster:b200-dgxc
  precision: fp4
  framework: vllm
  scenarios:
    agentic-coding:
    - search-space:
      - {tp: 8, spec-decoding: mtp, conc-start: 1, conc-end: 3}
multi:
  image: vllm/vllm-openai:v1
  model: org/DeepSeek-V4-Pro
  model-prefix: dsv4
  runner: gb200
  precision: fp4
  framework: dynamo-vllm
  multinode: true
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - conc-list: [8]
        prefill: {num-worker: 1, tp: 4, additional-settings: ["CONFIG_FILE=recipes/vllm/r.yaml"]}
        decode: {num-worker: 1, tp: 4}
"""
SERVER = """\
export A=1
cat > c.yaml <<E
max-num-seqs: 8
E
vllm serve "$MODEL" --config c.yaml --lora a --lora b --enforce-eager &
"""
WORKERS = """\
backend: {type: vllm, vllm_config: {prefill: {}, decode: {max-num-seqs: 8}}}
benchmark: {type: sa-bench}
"""
TEXT = {"type": "string"}
NULLABLE = {"type": ["string", "null"]}
NUMBER = {"type": "integer"}
TRUTH = {"type": "boolean"}


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object that has all of these, and may have others."""
    return {"type": "object", "properties": properties, "required": list(properties), **more}


def _list(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


IDENTITY = {"key": TEXT, "scenario": TEXT, "conc": NUMBER, "eval_only": TRUTH}
POINT = _object(
    {
        **IDENTITY,
        "script": NULLABLE,
        "recipe": NULLABLE,
        "image": TEXT,
        "framework": TEXT,
        "model_prefix": TEXT,
        "precision": TEXT,
        "runner": TEXT,
        "multinode": TRUTH,
        "env": {"type": "object", "additionalProperties": TEXT},
    }
)
CHANGE = _object(
    {
        "kind": {"enum": ["argument", "variable", "file", "image", "reach"]},
        "name": TEXT,
        "base": NULLABLE,
        "head": NULLABLE,
    }
)
CHANGED = _object(
    {
        "point": _object(IDENTITY, additionalProperties=False),
        "changes": _list(CHANGE, minItems=1),
    }
)
POINTS = _object({"schema": {"const": 1}, "points": _list(POINT)})
DIFF = _object(
    {
        "schema": {"const": 1},
        "changed": _list(CHANGED),
        "added": _list(POINT),
        "removed": _list(POINT),
        "unchanged": NUMBER,
    }
)


class Checkout:
    """A repository whose commits are given as files."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys
        self._git("init", "-q", "-b", "main")
        self.commit({"configs/nvidia-master.yaml": CONFIG, SCRIPT: SERVER, RECIPE: WORKERS})

    def _git(self, *words: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(("git", *names, *words), cwd=self.root, check=True)

    def commit(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        self._git("add", ".")
        self._git("commit", "-q", "--allow-empty", "-m", "x")

    def run(self, *words: str) -> tuple[int, Any]:
        status = main([*words, "--root", str(self.root), "--format", "json"])
        return status, json.loads(self._capsys.readouterr().out)

    def diff(self) -> Any:
        status, found = self.run("diff", "HEAD~1..HEAD")
        assert status == 0
        validate(found, DIFF)
        return found


@pytest.fixture
def checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Checkout:
    return Checkout(tmp_path, capsys)


def test_points(checkout: Checkout) -> None:
    status, found = checkout.run("points")
    assert status == 0
    validate(found, POINTS)
    points = found["points"]
    assert [(p["key"], p["conc"], p["eval_only"]) for p in points] == [
        *(("single", c, e) for c in (1, 2, 3) for e in (False, True)),
        *(("multi", 8, e) for e in (False, True)),
    ]
    single, multi = points[0], points[-1]
    assert (single["script"], single["recipe"]) == (SCRIPT, None)
    assert (multi["script"], multi["recipe"]) == (None, RECIPE)
    assert (single["runner"], single["scenario"]) == ("cluster:b200-dgxc", "agentic-coding")
    assert (single["env"]["CONC"], single["env"]["EP_SIZE"]) == ("1", "1")


def test_points_of_one_key(checkout: Checkout) -> None:
    _, found = checkout.run("points", "multi")
    assert {p["key"] for p in found["points"]} == {"multi"}


def test_nothing_changes(checkout: Checkout) -> None:
    checkout.commit({})
    found = checkout.diff()
    assert (found["changed"], found["added"], found["removed"]) == ([], [], [])
    assert found["unchanged"] == 8


def test_every_kind_of_change(checkout: Checkout) -> None:
    server = SERVER.replace("A=1", "A=2").replace("seqs: 8", "seqs: 9")
    server = server.replace("--lora b --enforce-eager", "--lora c --lora d")
    config = CONFIG.replace("openai:v1", "openai:v2", 1)
    checkout.commit({SCRIPT: server, "configs/nvidia-master.yaml": config})
    found = checkout.diff()
    assert len(found["changed"]) == 6
    assert found["unchanged"] == 2
    first = found["changed"][0]
    assert first["point"] == {
        "key": "single",
        "scenario": "agentic-coding",
        "conc": 1,
        "eval_only": False,
    }
    assert [tuple(c.values()) for c in first["changes"]] == [
        ("image", "image", "vllm/vllm-openai:v1", "vllm/vllm-openai:v2"),
        ("argument", "--lora", "b", "c"),
        ("argument", "--lora", None, "d"),
        ("argument", "--enforce-eager", "", None),
        ("variable", "A", "1", "2"),
        ("file", "c.yaml:max-num-seqs", "8", "9"),
    ]


def test_a_server_that_is_not_started_any_more(checkout: Checkout) -> None:
    checkout.commit({SCRIPT: SERVER.replace("vllm serve", "echo vllm serve")})
    (change,) = checkout.diff()["changed"][0]["changes"]
    assert (change["kind"], change["name"], change["head"]) == ("reach", "vllm serve", None)


def test_one_of_several_servers(checkout: Checkout) -> None:
    checkout.commit({RECIPE: WORKERS.replace("8", "9")})
    (change,) = checkout.diff()["changed"][0]["changes"]
    assert change == {
        "kind": "argument",
        "name": "--max-num-seqs",
        "base": "8",
        "head": "9",
        "launch": "dynamo.vllm (decode)",
    }


def test_points_that_come_and_go(checkout: Checkout) -> None:
    config = CONFIG.replace("conc-end: 3", "conc-end: 2").replace("[8]", "[8, 16]")
    checkout.commit({"configs/nvidia-master.yaml": config})
    found = checkout.diff()
    assert {(p["key"], p["conc"]) for p in found["added"]} == {("multi", 16)}
    assert {(p["key"], p["conc"]) for p in found["removed"]} == {("single", 3)}
    assert not found["changed"]
