"""Points and launch diffs as JSON, text and tables."""

from __future__ import annotations

import json

from markdown_it import MarkdownIt

from verifier.model.finding import Finding, Status
from verifier.model.points import (
    ConfigEntry,
    LaunchChange,
    LaunchDiff,
    Point,
    PointChange,
    PointId,
)
from verifier.model.record import replace
from verifier.model.text import Span
from verifier.reports import points as report

PLACE = Span("configs/nvidia-master.yaml", 12, 3)
CONFIG = ConfigEntry(
    key="dsv4-fp4-b200-vllm",
    span=PLACE,
    image="vllm/vllm-openai:v0.30.0",
    image_span=PLACE,
    framework="vllm",
    model="deepseek-ai/DeepSeek-V4-Pro",
    model_prefix="dsv4",
    precision="fp4",
    runner="b200",
    sku="b200",
    multinode=False,
    disagg=False,
    scenarios=("agentic-coding",),
)


def point(conc: int, key: str = CONFIG.key, eval_only: bool = False) -> Point:
    return Point(
        id=PointId(key, "agentic-coding", "tp: 8", conc, eval_only),
        config=replace(CONFIG, key=key),
        span=PLACE,
        scenario="agentic-coding",
        lengths=None,
        conc=conc,
        eval_only=eval_only,
        spec_decoding="mtp",
        script="benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh",
        recipe=None,
        env={"CONC": str(conc)},
    )


def changed(conc: int, *changes: LaunchChange, key: str = CONFIG.key) -> PointChange:
    return PointChange(base=point(conc, key), head=point(conc, key), changes=changes)


PIN = LaunchChange("argument", "--speculative-config", '{"a": 1}', '{"a": 2}')
GONE = LaunchChange("variable", "SGLANG_SIMULATE_ACC_LEN", "2.49", None)
DIFF = LaunchDiff(
    base="commit 1",
    head="commit 2",
    changed=(changed(1, PIN), changed(8, GONE, PIN), changed(4, PIN), changed(2, PIN, key="other")),
    added=(point(16),),
    removed=(point(32), point(32, eval_only=True)),
    unchanged=40,
    touched=7,
    problems=(
        Finding(status=Status.UNRESOLVED, code="x", message="could not be read", span=PLACE),
    ),
)


def test_points_have_the_documented_shape() -> None:
    shown = json.loads(report.points_json([point(8), point(8, eval_only=True)]))
    assert shown["schema"] == 1
    assert shown["points"][0] == {
        "key": "dsv4-fp4-b200-vllm",
        "scenario": "agentic-coding",
        "lengths": None,
        "script": "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh",
        "recipe": None,
        "image": "vllm/vllm-openai:v0.30.0",
        "framework": "vllm",
        "model_prefix": "dsv4",
        "precision": "fp4",
        "runner": "b200",
        "multinode": False,
        "conc": 8,
        "eval_only": False,
        "env": {"CONC": "8"},
    }
    assert shown["points"][1]["eval_only"] is True


def test_points_for_people() -> None:
    assert report.points_text([point(8)]) == (
        "dsv4-fp4-b200-vllm agentic-coding conc 8  "
        "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh\n"
    )


def test_the_diff_has_the_documented_shape() -> None:
    shown = json.loads(report.diff_json(DIFF))
    assert shown["changed"][1] == {
        "point": {
            "key": "dsv4-fp4-b200-vllm",
            "scenario": "agentic-coding",
            "conc": 8,
            "eval_only": False,
        },
        "changes": [
            {"kind": "variable", "name": "SGLANG_SIMULATE_ACC_LEN", "base": "2.49", "head": None},
            {
                "kind": "argument",
                "name": "--speculative-config",
                "base": '{"a": 1}',
                "head": '{"a": 2}',
            },
        ],
    }
    assert [p["conc"] for p in shown["added"]] == [16]
    assert [p["eval_only"] for p in shown["removed"]] == [False, True]
    assert shown["unchanged"] == 40


def test_points_that_change_alike_share_a_block() -> None:
    shown = report.diff_text(DIFF)
    assert shown.startswith(
        "3 points: dsv4-fp4-b200-vllm agentic-coding conc 1, 4; other agentic-coding conc 2\n"
        '  argument --speculative-config: {"a": 1} → {"a": 2}\n'
    )
    assert "variable SGLANG_SIMULATE_ACC_LEN: 2.49 → (absent)" in shown
    assert "removed: 2 points\n" in shown and "(throughput and evaluation)" in shown
    assert "not compared\n  configs/nvidia-master.yaml:12:3: could not be read" in shown
    flat = " ".join(shown.split())
    assert "4 points changed, 1 added, 2 removed, 40 unchanged (7 of them read a changed" in flat


def test_tables_hold_any_value() -> None:
    evil = LaunchChange("argument", "--a|b", "x | y\n</table> `` @octocat", " ")
    shown = report.diff_markdown(replace(DIFF, changed=(changed(1, evil),)))
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(shown)
    assert sum(t.type == "td_open" for t in tokens) == 4
    assert not any(t.type.startswith("html") for t in tokens)


def test_an_empty_diff_says_so() -> None:
    shown = report.diff_text(LaunchDiff(base="a", head="b", unchanged=3))
    assert shown == "0 points changed, 0 added, 0 removed, 3 unchanged\n"


def test_rows_with_the_same_problem_share_a_line() -> None:
    rows = [
        Finding(
            status=Status.UNRESOLVED,
            code="config_field",
            message=f"one.search-space[{n}].tp: expected a number",
            span=Span("configs/a.yaml", 10 + n, 3),
        )
        for n in range(3)
    ]
    other = replace(rows[0], message="one.search-space[0].ep: expected a number")
    assert list(report.together([*rows, other])) == [
        "configs/a.yaml:10:3: one.search-space[0].tp: expected a number (also lines 11, 12)",
        "configs/a.yaml:10:3: one.search-space[0].ep: expected a number",
    ]


def test_points_that_were_not_read_to_the_end_are_told() -> None:
    points = [change.head for change in DIFF.changed[:2]]
    unsure = replace(DIFF, uncertain=tuple((p, "eval of a text (a.sh:3:1)") for p in points))
    shown = " ".join(report.diff_text(unsure).split())
    assert "unchanged as far as they could be read 2 points: " in shown
    assert "eval of a text (a.sh:3:1)" in shown
    assert "as far as they could be read" in report.diff_markdown(unsure)
    told = json.loads(report.diff_json(unsure))["uncertain"]
    assert [one["reason"] for one in told] == ["eval of a text (a.sh:3:1)"] * 2
