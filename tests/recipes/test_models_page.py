"""What a models page retires."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.model.points import Retirement
from verifier.policy import DEFAULT
from verifier.recipes.models_page import read_models


def retired(text: str) -> list[tuple[object, ...]]:
    page = read_models(text, "MODELS.md", DEFAULT)
    assert not page.problems
    return [short(item) for item in page.retirements]


def short(item: Retirement) -> tuple[object, ...]:
    parts: tuple[object, ...] = (item.prefix, item.scenario, item.precision, item.method)
    return (*parts, item.since, item.line)


SCENARIOS = """\
## Scenarios

| Scenario | ISL/OSL | Status |
|---|---|---|
| Agentic coding | traces | Active. The old arm is not run. |
| Single-turn 8k1k | 8192 / 1024 | Active until 2026-09-08 |
| Single-turn 1k1k | 1024 / 1024 | **Deprecated for all models** since 2026-07-17 ([#1](x)). |
| Long answers | 1024 / 8192 | Retired |
"""


def test_scenarios_with_a_status() -> None:
    assert retired(SCENARIOS) == [
        (None, "8k1k", None, None, date(2026, 9, 9), 6),
        (None, "1k1k", None, None, date(2026, 7, 17), 7),
        (None, "1k8k", None, None, None, 8),
    ]


MATRIX = """\
| Model architecture class | Prefix | Date added | Active scenarios | Deprecated scenarios |
|---|---|---|---|---|
| New 2.4T | `qwen3.8` | TBD | Agentic coding | |
| MiniMax-M3 | `minimaxm3` | 2026-06-12 | Agentic coding | Single-turn 1k1k, \
Single-turn 8k1k (removed 2026-08-04, [#2](https://x/2)) |
| GLM-5 / GLM-5.1 | `glm5`, `glm5.1` | 2026-03-06 | None (retired 2026-07-18) | \
Single-turn 1k8k (GLM-5 only) |
| Kimi-K3 | `kimik3` | 2026-07-27 | Agentic coding (DSpark only) | \
Agentic coding non-DSpark arm (deprecated from day 0) |
"""


def test_models_with_active_and_deprecated_scenarios() -> None:
    assert retired(MATRIX) == [
        ("minimaxm3", "1k1k", None, None, None, 4),
        ("minimaxm3", "8k1k", None, None, date(2026, 8, 4), 4),
        ("glm5", None, None, None, date(2026, 7, 18), 5),
        ("glm5", "1k8k", None, None, None, 5),
        ("glm5.1", None, None, None, date(2026, 7, 18), 5),
        ("kimik3", "agentic", None, "dspark", None, 6),
    ]


NOTICE = """\
### Monday, August 3, 2026

**Monday, August 3, 2026** is the last day for what is listed below.

**Enacted on 2026-08-04** in a change that did more.

| Model | Deprecated | Remains |
|---|---|---|
| MiniMax-M3 (`minimaxm3`) | Single-turn 8k1k | Agentic coding |
| Qwen3.5 (`qwen3.5`) | All **bf16** recipes, in every scenario, on both vendors | fp8 |

| Model | Deprecated arm | Published arm |
|---|---|---|
| DeepSeek-V4-Pro (`dsv4`) | Agentic coding, non-MTP | Agentic coding, MTP |

### Later

**Thursday, August 6, 2026** is the last day for **Single-turn 8k1k** on Kimi (`kimik2.5`). The
model goes with it.
"""


def test_notices_below_a_last_day() -> None:
    after = date(2026, 8, 4)
    assert retired(NOTICE) == [
        ("minimaxm3", "8k1k", None, None, after, 9),
        ("qwen3.5", None, "bf16", None, after, 10),
        ("dsv4", "agentic", None, "mtp", after, 14),
        ("kimik2.5", "8k1k", None, None, date(2026, 8, 7), 18),
    ]


@pytest.mark.parametrize(
    ("status", "since"),
    [
        ("deprecated since 2026-07-17", date(2026, 7, 17)),
        ("Deprecated from August 3, 2026", date(2026, 8, 3)),
        ("Retired on 3 August 2026", date(2026, 8, 3)),
        ("Deprecated after 2026-08-03", date(2026, 8, 4)),
        ("Active until December 31, 2026", date(2027, 1, 1)),
        ("Deprecated since 2026-02-31", None),
        ("retired", None),
    ],
)
def test_a_models_status_and_its_date(status: str, since: date | None) -> None:
    text = f"| Model | Status |\n|---|---|\n| `dsr1` | {status} |\n"
    assert retired(text) == [("dsr1", None, None, None, since, 3)]


@pytest.mark.parametrize("status", ["Active", "active since 2026-01-01", "", "Supported", "—"])
def test_an_active_model(status: str) -> None:
    assert not retired(f"| Model | Status |\n|---|---|\n| `dsr1` | {status} |\n")


def test_a_model_scenario_pair() -> None:
    text = (
        "| Model | Scenario | Status |\n|---|---|---|\n"
        "| DeepSeek-R1 | 8k1k | deprecated since 2026-07-17 |\n| dsv4 | agentic | active |\n"
    )
    assert retired(text) == [("dsr1", "8k1k", None, None, date(2026, 7, 17), 3)]


def test_what_is_not_understood_is_said() -> None:
    text = "| Model | Deprecated |\n|---|---|\n| `dsr1` | the thing we talked about |\n"
    page = read_models(text, "MODELS.md", DEFAULT)
    assert page.problems == ("line 3: what is retired is not understood",)


def test_code_and_comments_retire_nothing() -> None:
    table = "| Model | Status |\n|---|---|\n| `dsr1` | retired |\n"
    assert not retired(f"```\n{table}```\n<!--\n{table}-->\n")


@given(st.text(alphabet="|`-*# \nabk18(),2026retired", max_size=120))
def test_no_page_raises(text: str) -> None:
    read_models(text, "MODELS.md", DEFAULT)
