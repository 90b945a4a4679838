"""Findings point at the value that is wrong, and at what it depends on."""

from __future__ import annotations

from datetime import date

from checks import check_10_golden_al
from tests.recipes.trees import MemoryTree
from verifier.facts import collect
from verifier.golden import Golden
from verifier.model.context import Context
from verifier.model.finding import Finding
from verifier.policy import DEFAULT

PATH = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
SPEC = (
    '{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":$K,'
    '\\"rejection_sample_method\\":\\"synthetic\\",\\"synthetic_acceptance_length\\":$AL}'
)
SERVE = f'vllm serve deepseek-ai/DeepSeek-V4-Pro --speculative-config "{SPEC}"\n'


def findings(script: str) -> list[Finding]:
    recipes, unread = collect([PATH], MemoryTree({PATH: script}), DEFAULT)
    context = Context(
        policy=DEFAULT,
        golden=Golden.bundled(),
        today=date(2026, 1, 1),
        recipes=recipes,
        unread=unread,
    )
    return [f for f in check_10_golden_al.check(context) if f.status.value != "pass"]


def test_a_length_behind_a_variable() -> None:
    (found,) = findings(f"AL=2.6\nK=3\n{SERVE}")
    assert (found.code, found.span.line, found.span.column) == ("pin_mismatch", 1, 4)


def test_a_length_of_one_branch() -> None:
    (found,) = findings(f'AL=2.49\nK=3\nif [ "$X" = 1 ]; then\n  AL=2.6\nfi\n{SERVE}')
    assert (found.code, found.span.line) == ("pin_mismatch", 4)
    assert [sorted(map(str, c)) for c in found.when.alternatives] == [
        ["InputIs(name='X', value='1', holds=True)"]
    ]


def test_what_an_unknown_draft_length_depends_on_is_named() -> None:
    (found,) = findings(f'AL=2.49\nK="${{K:-3}}"\n{SERVE}')
    assert found.code == "draft_length_unknown" and found.span.line == 1
    reason = found.related[0]
    assert reason.span.line == 2 and "K is an input (default '3')" in reason.text
