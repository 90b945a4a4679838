"""Recipes as facts."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.facts import Reading
from verifier.model.context import RecipeFacts
from verifier.model.tree import Unreadable
from verifier.policy import DEFAULT
from verifier.recipes.reader import Choice, read_facts
from verifier.selectors import split_selector

PATH = "benchmarks/multi_node/srt-slurm-recipes/vllm/deepseek-v4/r.yaml"
RECIPE = """\
model: {path: deepseek-ai/DeepSeek-V4-Pro, container: "vllm/vllm-openai:v0.27.0"}
resources: {agg_nodes: 1, agg_workers: 1}
backend:
  type: vllm
  vllm_config:
    aggregated:
      speculative-config: '{"method":"mtp","num_speculative_tokens":3}'
benchmark:
  type: sa-bench
  isl: 8192
  use_chat_template: true
"""


def facts(text: str, choice: Choice | None = None, **more: str) -> tuple[RecipeFacts, ...]:
    return read_facts(PATH, MemoryTree({PATH: text, **more}), DEFAULT, Reading(), choice)


def test_a_recipe_is_launches_and_a_client() -> None:
    (found,) = facts(RECIPE)
    (launch,) = found.launches
    assert (launch.engine, launch.role) == ("vllm", "aggregated")
    assert launch.speculation is not None
    assert launch.speculation.draft_length == 3
    assert launch.speculation.span is not None
    assert launch.speculation.span.line == 7
    assert found.model_prefix == "dsv4"
    assert not found.unresolved
    (client,) = found.clients
    words = [word.text.known for word in client.argv]
    assert words == ["sa-bench", "--isl", "8192", "--use-chat-template"]
    assert found.workload == "synthetic"


def test_without_the_chat_template() -> None:
    (found,) = facts(RECIPE.replace("use_chat_template: true", "use_chat_template: false"))
    words = [word.text.known for word in found.clients[0].argv]
    assert "--use-chat-template" not in words


def test_the_chat_template_is_the_default() -> None:
    (found,) = facts(RECIPE.replace("  use_chat_template: true\n", ""))
    assert found.clients[0].argv[-1].text.known == "--use-chat-template"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- a\n", "must be a mapping, not a list"),
        ("3\n", "must be a mapping, not the number 3"),
        ("a: 1\na: 2\n", "duplicate key 'a'"),
        ("a: [\n", "not valid YAML"),
        ("base: {}\noverride_x: 1\n", "override_x must be a mapping"),
        ("resources: {prefill_nodes: 1, prefill_workers: 0, decode_workers: 0}\n", "no worker"),
        ("backend: {type: mystery}\n", "the engine 'mystery' is not known"),
    ],
)
def test_what_cannot_be_read_is_unresolved(text: str, words: str) -> None:
    notes = [note.text for found in facts(text) for note in found.unresolved]
    assert any(words in note for note in notes)


def test_a_missing_file_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read_facts("none.yaml", MemoryTree({}), DEFAULT, Reading())


def test_lines_that_a_launcher_drops() -> None:
    text = RECIPE + "environment:\n  TLLM_X: '1'\n  Y: '2'\n"
    (found,) = facts(text, Choice(delete=("TLLM_X",)))
    assert set(found.launches[0].command.env) == {"Y"}
    assert found.launches[0].command.env["Y"].span is not None
    assert found.launches[0].command.env["Y"].span.line == 14


def test_a_recipe_that_only_evaluations_use() -> None:
    config = "x:\n - 'EVAL_CONFIG_FILE=recipes/vllm/deepseek-v4/r.yaml'\n"
    (found,) = facts(RECIPE, None, **{"configs/nvidia-master.yaml": config})
    assert found.eval_only is True
    assert [c.name for c in found.evaluations] == ["lm-eval"]
    assert not found.clients
    used = config + " - 'CONFIG_FILE=recipes/vllm/deepseek-v4/r.yaml'\n"
    (found,) = facts(RECIPE, None, **{"configs/nvidia-master.yaml": used})
    assert found.eval_only is None


def test_an_evaluation_instead_of_the_benchmark() -> None:
    (found,) = facts(RECIPE, Choice(eval_only=True))
    assert [c.name for c in found.evaluations] == ["lm-eval"]
    assert found.workload == "synthetic"


def test_models_that_disagree() -> None:
    text = RECIPE.replace(
        "      speculative", "      served-model-name: Kimi-K3\n      speculative"
    )
    (found,) = facts(text)
    assert found.prefix_problem is not None
    assert "says dsv4, but" in found.prefix_problem


def test_variants_have_names() -> None:
    text = "base: {model: {path: m}}\noverride_a: {resources: {agg_nodes: 1}}\noverride_b: {x: 1}\n"
    assert [found.variant for found in facts(text)] == ["override_a", "override_b"]
    assert [f.variant for f in facts(text, Choice(selector="override_b"))] == ["override_b"]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b.yaml", ("a/b.yaml", None)),
        ("a/b.yaml:override_x", ("a/b.yaml", "override_x")),
        ("b.yml:zip_override_x[1]", ("b.yml", "zip_override_x[1]")),
        ("a.sh", ("a.sh", None)),
    ],
)
def test_selectors_of_paths(path: str, parts: tuple[str, str | None]) -> None:
    assert split_selector(path) == parts


@pytest.mark.parametrize(
    ("value", "mode"),
    [
        ("thinking:true", "on"),
        ("thinking:false", "off"),
        ('{"thinking": false}', "off"),
        ('chat_template_kwargs:{"thinking":true}', "on"),
        ("temperature:1", None),
    ],
)
def test_thinking_that_the_client_sets(value: str, mode: str | None) -> None:
    (found,) = facts(RECIPE + f"  env: {{AIPERF_EXTRA_INPUTS: '{value}'}}\n")
    assert [s.mode for s in found.thinking_settings] == ([] if mode is None else [mode])


SCRIPT = "/infmax-workspace/benchmarks/multi_node/{}.sh"


@pytest.mark.parametrize(
    ("benchmark", "workload"),
    [
        ("{type: agentic}", "agentic"),
        ("{type: custom, command: bash " + SCRIPT.format("agentic_srt") + "}", "agentic"),
        ("{type: custom, command: bash " + SCRIPT.format("other") + "}", "unknown"),
        ("{type: custom, command: bash x.sh, env: {IS_AGENTIC: '1'}}", "agentic"),
        ("{type: custom, command: bash x.sh, env: {IS_AGENTIC: '0'}}", "synthetic"),
        ("{type: sa-bench}", "synthetic"),
        ("{}", "synthetic"),
    ],
)
def test_what_the_benchmark_section_says_of_the_workload(benchmark: str, workload: str) -> None:
    text = RECIPE[: RECIPE.index("benchmark:")] + f"benchmark: {benchmark}\n"
    (found,) = facts(text)
    assert found.workload == workload
