"""Recipes of both schemas as commands."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from verifier.model.command import Command
from verifier.recipes import srt
from verifier.recipes.render import render
from verifier.recipes.sweeps import swept
from verifier.recipes.variants import SelectorError, variants
from verifier.recipes.yaml_marks import YamlMap, plain, read


def recipe(text: str) -> YamlMap:
    document = read(text, "r.yaml")
    assert not document.problems
    assert isinstance(document.root, YamlMap)
    return document.root


def commands(text: str) -> dict[str, Command]:
    found = srt.layout(recipe(text))
    assert not found.problems
    return {spec.role: render(spec, found) for spec in found.roles}


def argv(command: Command) -> list[str]:
    return [word.text.display() for word in command.argv]


SPLIT = """\
model: {path: hf:org/name, container: img, precision: fp4}
resources: {prefill_nodes: 1, decode_nodes: 1, prefill_workers: 1, decode_workers: 2}
environment: {BOTH: everywhere, ONLY: "1"}
backend:
  type: vllm
  connector: nixl
  vllm_config:
    prefill: {tensor_parallel_size: 4, enforce-eager: false, block-size: null}
    decode:
      tensor-parallel-size: 8
      trust-remote-code: true
      gpu-memory-utilization: 0.90
      middleware: [a, 2]
      speculative-config: '{"method":"mtp","num_speculative_tokens":3}'
      compilation-config: {mode: 3, ok: true}
  prefill_environment: {BOTH: prefill}
  decode_environment: {BOTH: decode, NAME: "n-{node}"}
"""


def test_keys_are_sorted_and_spelled_as_flags() -> None:
    assert argv(commands(SPLIT)["prefill"]) == [
        *("python3", "-m", "dynamo.vllm", "--model", "org/name"),
        *("--disaggregation-mode", "prefill", "--tensor-parallel-size", "4"),
    ]


def test_values_are_pythons_text_of_them() -> None:
    decode = argv(commands(SPLIT)["decode"])
    assert decode[7:] == [
        *("--compilation-config", "{'mode': 3, 'ok': True}"),
        *("--gpu-memory-utilization", "0.9"),
        *("--middleware", "a", "2"),
        *("--speculative-config", '{"method":"mtp","num_speculative_tokens":3}'),
        *("--tensor-parallel-size", "8", "--trust-remote-code"),
    ]


def test_an_argument_knows_its_line() -> None:
    decode = commands(SPLIT)["decode"]
    index = argv(decode).index("--speculative-config")
    for word in decode.argv[index : index + 2]:
        assert word.text.span is not None
        assert word.text.span.line == 14


def test_the_recipe_wide_environment_wins_and_the_node_is_unknown() -> None:
    env = commands(SPLIT)["decode"].env
    assert env["BOTH"].known == "everywhere"
    assert env["NAME"].known is None
    assert env["NAME"].display() == "n-<the worker's node>"


def test_a_role_without_workers_is_not_started() -> None:
    text = SPLIT.replace("prefill_workers: 1", "prefill_workers: 0")
    assert set(commands(text)) == {"decode"}


ROLES = """\
schema: 2
model: {path: alias}
engine: {type: sglang}
frontend: {type: sglang}
roles:
  agg:
    workers: 1
    env: {A: "1"}
    args: {speculative-algorithm: EAGLE, served_model_name: m, tp-size: 4}
    extra_args: [--x, "y z"]
"""


def test_roles_schema() -> None:
    (command,) = commands(ROLES).values()
    assert argv(command) == [
        *("python3", "-m", "sglang.launch_server", "--model-path", "<where srtctl finds alias>"),
        *("--served-model-name", "m", "--speculative-algorithm", "EAGLE", "--tp-size", "4"),
        *("--x", "y z"),
    ]
    assert command.env["A"].known == "1"


def test_both_schemas_in_one_recipe_are_a_problem() -> None:
    found = srt.layout(recipe(ROLES + "backend: {decode_environment: {A: '1'}}\n"))
    assert "mixes both schemas" in found.problems[0].text


def test_trtllm_settings_become_a_file_with_lines() -> None:
    text = """\
model: {path: m}
resources: {agg_nodes: 1}
backend:
  type: trtllm
  trtllm_config:
    aggregated:
      tensor_parallel_size: 8
      speculative_config: {decoding_type: MTP, max_draft_len: 3}
"""
    (command,) = commands(text).values()
    assert argv(command)[-2:] == ["--extra-engine-args", "/logs/trtllm_config_agg.yaml"]
    content = command.files["/logs/trtllm_config_agg.yaml"]
    assert plain(read(content.known or "", "x").root) == {
        "speculative_config": {"decoding_type": "MTP", "max_draft_len": 3},
        "tensor_parallel_size": 8,
    }
    assert content.span is not None
    assert content.span.line == 8


@pytest.mark.parametrize("word", ["yes", "off", "1:30"])
def test_text_that_yaml_11_reads_as_something_else_is_unknown(word: str) -> None:
    text = (
        f"resources: {{agg_nodes: 1}}\nbackend: {{sglang_config: {{aggregated: {{x: '{word}'}}}}}}"
    )
    (command,) = commands(text).values()
    assert command.argv[-1].text.known is None


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "backend: 3",
        "backend: {type: [x]}",
        "backend: {type: mystery}",
        "roles: {agg: 3, decode: {args: [1]}}",
        "resources: {prefill_nodes: 1}\nbackend: {sglang_config: [1], prefill_environment: [2]}",
        "engine: {}\nroles: {prefill: {env: {A: [1]}}}",
        "model: [1]\nfrontend: 7\nidentity: x\nunknown: {deep: [1, {a: b}]}",
    ],
)
def test_odd_recipes_never_raise(text: str) -> None:
    found = srt.layout(recipe(text))
    for spec in found.roles:
        render(spec, found)


VARIANTS = """\
base:
  name: b
  backend: {type: vllm, vllm_config: {decode: {a: 1, b: [1, 2]}}}
  environment: {X: "1"}
override_one:
  backend: {vllm_config: {decode: {a: 2, b: [3]}}}
zip_override_two:
  name: [n0, n1]
  environment: null
  backend: {vllm_config: {decode: {a: [5, 6], b: [[7, 8]]}}}
"""


def test_overrides_merge_and_zips_expand() -> None:
    found = {v.name: plain(v.root) for v in variants(recipe(VARIANTS))}
    assert list(found) == ["override_one", "zip_override_two[0]", "zip_override_two[1]"]
    assert found["override_one"]["backend"]["vllm_config"]["decode"] == {"a": 2, "b": [3]}
    assert found["override_one"]["environment"] == {"X": "1"}
    last = found["zip_override_two[1]"]
    assert last["name"] == "n1"
    assert "environment" not in last
    assert last["backend"]["vllm_config"]["decode"] == {"a": 6, "b": [7, 8]}


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("override_one", ["override_one"]),
        ("zip_override_two", ["zip_override_two[0]", "zip_override_two[1]"]),
        ("zip_override_two[1]", ["zip_override_two[1]"]),
        ("*override*", ["override_one", "zip_override_two[0]", "zip_override_two[1]"]),
        ("base", ["base"]),
    ],
)
def test_selectors(selector: str, names: list[str]) -> None:
    assert [v.name for v in variants(recipe(VARIANTS), selector)] == names


@pytest.mark.parametrize(
    ("text", "selector", "words"),
    [
        (VARIANTS, "override_none", "no variant 'override_none'"),
        (VARIANTS, "zip_override_two[2]", "has 2 variants"),
        ("a: 1", "override_x", "no `base`"),
        ("base: {}\nzip_override_x: {a: [1, 2], b: [1, 2, 3]}", None, "lists of 2 and 3 items"),
        ("base: {}\nzip_override_x: {a: 1}", None, "nothing to zip"),
        ("base: {}\nzip_override_x: {a: []}", None, "an empty list"),
        ("base: {}\noverride_x: 3", None, "must be a mapping"),
    ],
)
def test_bad_variants_say_why(text: str, selector: str | None, words: str) -> None:
    with pytest.raises(SelectorError) as caught:
        variants(recipe(text), selector)
    assert words in caught.value.problem


def test_a_merged_value_keeps_the_line_of_the_text_that_won() -> None:
    (variant,) = variants(recipe(VARIANTS), "override_one")
    decode = variant.root.mapping("backend").mapping("vllm_config").mapping("decode")
    assert decode.entries["a"].key.line == 6


def test_json_in_yaml_stays_json() -> None:
    decode = argv(commands(SPLIT)["decode"])
    text = decode[decode.index("--speculative-config") + 1]
    assert json.loads(text)["num_speculative_tokens"] == 3


SWEEP = """\
name: n
sweep: {steps: [1, 3], sizes: [[4, 8]]}
backend: {sglang_config: {aggregated: {a: "{steps}", b: "x{steps}-{sizes}", c: "{sizes}", d: "{z}"}}}
"""


def test_a_sweep_is_one_recipe_for_each_combination() -> None:
    (variant,) = variants(recipe(SWEEP))
    found = swept(variant)
    assert [one.name for one in found] == ["steps=1,sizes=4,8", "steps=3,sizes=4,8"]
    values = plain(found[1].root)["backend"]["sglang_config"]["aggregated"]
    assert values == {"a": "3", "b": "x3-4,8", "c": [4, 8], "d": "{z}"}
    assert "sweep" not in found[1].root.entries


@pytest.mark.parametrize(
    "sweep",
    ["3", "{a: 1}", "{a: []}", "{a: [1,2,3,4,5,6,7,8,9], b: &b [1,2,3,4,5,6,7,8,9], c: *b}"],
)
def test_bad_sweeps_say_why(sweep: str) -> None:
    (variant,) = variants(recipe(f"sweep: {sweep}"))
    with pytest.raises(SelectorError):
        swept(variant)


_KEYS = st.sampled_from(
    "backend engine roles prefill decode agg aggregated args env type vllm_config sglang_config "
    "resources prefill_nodes agg_workers workers model path frontend environment sweep base "
    "override_a zip_override_b extra_args benchmark command".split()
)
_VALUES = st.sampled_from(["vllm", "sglang", "trtllm", "x", "{node}", "yes", 0, 1, 2.5, None, True])
_RECIPES = st.recursive(
    _VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(_RECIPES)
def test_no_recipe_raises(data: object) -> None:
    root = read(yaml.safe_dump(data), "r.yaml").root
    if not isinstance(root, YamlMap):
        return
    try:
        found = [one for variant in variants(root) for one in swept(variant)]
    except SelectorError:
        return
    for variant in found:
        layout = srt.layout(variant.root)
        for spec in layout.roles:
            render(spec, layout)
