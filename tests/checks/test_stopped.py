"""A launch of a file that was not read to its end may still be the one that an evaluation uses."""

from __future__ import annotations

from datetime import date

from checks import check_10_golden_al
from tests.recipes.trees import MemoryTree
from verifier.facts import collect
from verifier.golden import Golden
from verifier.model.context import Context
from verifier.model.record import replace
from verifier.policy import DEFAULT

PATH = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
SCRIPT = """\
vllm serve deepseek-ai/DeepSeek-V4-Pro -sc '{"method":"mtp","num_speculative_tokens":3}' &
sleep 1; sleep 2; sleep 3; sleep 4; sleep 5; sleep 6
run_eval
"""


def _codes(steps: int) -> set[str]:
    policy = replace(DEFAULT, limits=replace(DEFAULT.limits, steps=steps))
    recipes, unread = collect([PATH], MemoryTree({PATH: SCRIPT}), policy)
    context = Context(
        policy=policy,
        golden=Golden.bundled(),
        today=date(2026, 1, 1),
        recipes=recipes,
        unread=unread,
    )
    return {finding.code for finding in check_10_golden_al.check(context)}


def test_read_to_the_end_the_server_is_evaluated() -> None:
    assert _codes(steps=10_000) == {"real_in_eval"}


def test_stopped_before_the_evaluation_nothing_is_known() -> None:
    assert _codes(steps=5) == {"evaluation_unknown", "not_evaluated"}
