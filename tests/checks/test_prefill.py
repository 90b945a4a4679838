"""Prefill workers beside decode workers."""

from __future__ import annotations

import datetime

import pytest

from checks import check_10_golden_al
from tests.recipes.trees import MemoryTree
from verifier import judge
from verifier.facts import Reading
from verifier.golden import Golden
from verifier.model.context import Context
from verifier.model.finding import Status
from verifier.policy import DEFAULT
from verifier.recipes.reader import read_facts

PATH = "benchmarks/multi_node/srt-slurm-recipes/vllm/deepseek-v4/agentic/r.yaml"
PIN = '"rejection_sample_method":"synthetic","synthetic_acceptance_length"'
RECIPE = """\
model: {{path: deepseek-ai/DeepSeek-V4-Pro}}
backend:
  type: vllm
  vllm_config:
    prefill: {{{}}}
    decode: {{{}}}
"""


def worker(method: str, number: int, pin: str = "") -> str:
    pinned = f",{PIN}:{pin}" if pin else ""
    settings = f'{{"method":"{method}","num_speculative_tokens":{number}{pinned}}}'
    return f"speculative-config: '{settings}'"


@pytest.mark.parametrize(
    ("prefill", "decode", "status", "code"),
    [
        ("", worker("mtp", 3, "2.49"), Status.PASS, "pinned"),
        (worker("mtp", 3), worker("mtp", 3, "2.49"), Status.PASS, "pinned_by_decode"),
        (worker("mtp", 2, "2.49"), worker("mtp", 3, "2.49"), Status.PASS, "pinned_by_decode"),
        (
            worker("mtp", 2, "2.27"),
            worker("mtp", 3, "2.49"),
            Status.UNRESOLVED,
            "prefill_disagrees",
        ),
        (worker("suffix", 3), worker("mtp", 3, "2.49"), Status.UNRESOLVED, "prefill_disagrees"),
        (worker("mtp", 3, "2.49"), worker("mtp", 3), Status.FAIL, "real_acceptance"),
        (worker("mtp", 3), worker("mtp", 3, "2.27"), Status.FAIL, "pin_mismatch"),
        (worker("mtp", 3), "", Status.FAIL, "real_acceptance"),
    ],
)
def test_the_decode_worker_decides(prefill: str, decode: str, status: Status, code: str) -> None:
    tree = MemoryTree({PATH: RECIPE.format(prefill, decode)})
    context = Context(
        policy=DEFAULT,
        golden=Golden.bundled(),
        today=datetime.date(2026, 9, 1),
        recipes=read_facts(PATH, tree, DEFAULT, Reading()),
    )
    row = judge.run(check_10_golden_al, context)
    assert row.status is status
    assert code in {finding.code for finding in row.findings}


def test_a_pin_that_the_engine_cuts_to_a_shorter_draft_is_the_same_pin() -> None:
    settings = (
        "speculative-algorithm: EAGLE, speculative-eagle-topk: 1, speculative-num-steps: {0}, "
        "speculative-num-draft-tokens: {1}"
    )
    text = RECIPE.replace("vllm", "sglang").format(settings.format(1, 2), settings.format(3, 4))
    text += (
        "environment: {SGLANG_SIMULATE_ACC_LEN: '2.49', SGLANG_SIMULATE_ACC_METHOD: match-expected,"
        " SGLANG_SIMULATE_ACC_TOKEN_MODE: real-draft-token}\n"
    )
    context = Context(
        policy=DEFAULT,
        golden=Golden.bundled(),
        today=datetime.date(2026, 9, 1),
        recipes=read_facts(PATH, MemoryTree({PATH: text}), DEFAULT, Reading()),
    )
    assert judge.run(check_10_golden_al, context).status is Status.PASS
