"""Acceptance that the launcher pins."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.recipes.trees import MemoryTree
from verifier.diff import diff
from verifier.facts import Reading
from verifier.model.launch import Acceptance
from verifier.policy import DEFAULT
from verifier.recipes.evaluate import evaluate_points
from verifier.recipes.masters import expand
from verifier.recipes.reader import read_facts

PATH = "benchmarks/multi_node/srt-slurm-recipes/vllm/agentic/r.yaml"
RECIPE = """\
backend:
  type: vllm
  vllm_config:
    aggregated: {speculative-config: '{"method":"mtp","num_speculative_tokens":3}'}
"""
CONFIG = """\
one:
  image: i
  model: m
  model-prefix: dsv4
  runner: gb300-nv
  precision: fp4
  framework: dynamo-vllm
  multinode: true
  scenarios:
    agentic-coding:
    - search-space:
      - conc-list: [1]
        spec-decoding: mtp
        prefill:
          tp: 4
          additional-settings:
          - "SYNTHETIC_ACCEPTANCE=true"
          # why
          - "SYNTHETIC_ACCEPTANCE_LENGTH=2.49"
          - "CONFIG_FILE=recipes/vllm/agentic/r.yaml"
"""
FILES = {
    PATH: RECIPE,
    "configs/nvidia-master.yaml": CONFIG,
    "runners/launch_gb300-nv.sh": 'inject_synthetic_acceptance "$CONFIG_PATH" || exit 1\n',
}


def acceptances(tree: MemoryTree) -> list[Acceptance]:
    """Of the throughput point, of the evaluation point, and of the file by itself."""
    points = expand(tree, DEFAULT).points
    evaluated = evaluate_points(points, tree, DEFAULT)
    facts = [outcome.facts for p in points if (outcome := evaluated.of(p)) is not None]
    found = []
    for one in (*facts, *read_facts(PATH, tree, DEFAULT, Reading())):
        assert one is not None
        (launch,) = one.launches
        assert launch.speculation is not None
        found.append(launch.speculation.acceptance)
    return found


def test_the_length_of_the_config() -> None:
    throughput, evaluation, alone = acceptances(MemoryTree(FILES))
    assert (throughput.kind, throughput.length) == ("synthetic", Decimal("2.49"))
    assert throughput.spelling == "SYNTHETIC_ACCEPTANCE_LENGTH"
    assert evaluation.kind == "real"
    assert (alone.kind, alone.length) == ("synthetic", Decimal("2.49"))
    assert alone.span is not None and alone.span.path == "configs/nvidia-master.yaml"


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ('          - "SYNTHETIC_ACCEPTANCE_LENGTH=2.49"\n', "", ("unknown", "unknown")),
        ("LENGTH=2.49", "LENGTH=x", ("unknown", "unknown")),
        ("ACCEPTANCE=true", "ACCEPTANCE=false", ("real", "real")),
        ("SYNTHETIC_ACCEPTANCE=true", "OTHER=true", ("real", "real")),
    ],
)
def test_what_the_config_says(before: str, after: str, kinds: tuple[str, str]) -> None:
    config = CONFIG.replace(before, after)
    assert config != CONFIG
    tree = MemoryTree({**FILES, "configs/nvidia-master.yaml": config})
    throughput, _, alone = acceptances(tree)
    assert (throughput.kind, alone.kind) == kinds


@pytest.mark.parametrize(("launcher", "kind"), [("echo\n", "real"), (None, "unknown")])
def test_the_launcher_must_do_it(launcher: str | None, kind: str) -> None:
    files = {path: text for path, text in FILES.items() if not path.startswith("runners/")}
    if launcher is not None:
        files["runners/launch_gb300-nv.sh"] = launcher
    assert acceptances(MemoryTree(files))[0].kind == kind


def test_another_length_is_a_change() -> None:
    base = MemoryTree(FILES)
    head = base.plus({"configs/nvidia-master.yaml": CONFIG.replace("2.49", "2.27")})
    (point,) = diff(base, head, DEFAULT).changed
    assert [tuple(c[:4]) for c in point.changes] == [
        ("variable", "SYNTHETIC_ACCEPTANCE_LENGTH", "2.49", "2.27")
    ]
