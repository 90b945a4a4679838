"""Carets point at the value, however its text is quoted."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.facts import read_recipe
from verifier.policy import Policy

NAME = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm.sh"
REST = '"rejection_sample_method":"synthetic","synthetic_acceptance_length":2.6'


@pytest.mark.parametrize(
    "word",
    [
        f'\'{{"method":"mtp","num_speculative_tokens":3,{REST}}}\'',
        '"{{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":3,{}}}"'.format(
            REST.replace('"', '\\"')
        ),
        '"{{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":$K,{}}}"'.format(
            REST.replace('"', '\\"')
        ),
        f'\'{{"method":"mtp","num_speculative_tokens":\'$K\',{REST}}}\'',
        f'--spec=1 --speculative-config=\'{{"method":"mtp","num_speculative_tokens":3,{REST}}}\'',
    ],
)
def test_the_length_in_json(word: str) -> None:
    line = f"vllm serve /m --speculative-config {word}"
    if word.startswith("--spec=1"):
        line = f"vllm serve /m {word.removeprefix('--spec=1 ')}"
    (recipe,) = read_recipe(NAME, MemoryTree({NAME: f"K=3\n{line} --x 1\n"}), Policy())
    speculation = recipe.launches[0].speculation
    assert speculation is not None and speculation.acceptance.span is not None
    span = speculation.acceptance.span
    assert (span.line, line[span.column - 1 : span.end_column - 1]) == (2, "2.6")
