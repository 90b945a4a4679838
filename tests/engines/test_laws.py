"""What must hold for every command line, whatever its settings."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engines.build import launch, text
from verifier.engines import json_text
from verifier.engines.compare import canonical, same_speculation
from verifier.engines.shellwords import split
from verifier.engines.yaml_text import YamlError
from verifier.engines.yaml_text import read as read_yaml
from verifier.model.launch import Launch
from verifier.model.text import lit

CONFIG = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["mtp", "ngram", "suffix", "dspark"]),
        "num_speculative_tokens": st.integers(1, 8),
    }
)
NEUTRAL = st.lists(
    st.sampled_from(
        [
            ["--port", "8000"],
            ["-tp", "8"],
            ["--enforce-eager"],
            ["--max-model-len", "8k"],
            ["--gpu-memory-utilization=0.9"],
            ["--quantization", "fp8"],
            ["--enable-expert-parallel"],
        ]
    ),
    max_size=4,
    unique_by=lambda words: words[0],
)
SPELLINGS = ("--speculative-config", "--speculative_config", "-sc", "--speculative", "-s")
STEPS = ["--speculative-algorithm", "EAGLE", "--speculative-eagle-topk", "1"]


def meaning(found: Launch) -> object:
    return (canonical(found.speculation), canonical(found.speculative_settings), found.refused)


def vllm(*words: str) -> Launch:
    return launch("vllm", "serve", "m", *words)


@given(CONFIG, NEUTRAL, st.randoms(use_true_random=False))
def test_the_order_of_unrelated_options_never_matters(config, neutral, random) -> None:
    words = [["-sc", json.dumps(config)], *neutral]
    shuffled = list(words)
    random.shuffle(shuffled)
    one = vllm(*(w for part in words for w in part))
    two = vllm(*(w for part in shuffled for w in part))
    assert meaning(one) == meaning(two)
    assert {k: canonical(s.value) for k, s in one.settings.items()} == {
        k: canonical(s.value) for k, s in two.settings.items()
    }


@given(CONFIG, st.sampled_from(SPELLINGS), st.booleans(), st.sampled_from([None, 2]))
def test_equivalent_spellings_give_equal_settings(config, spelling, equals, indent) -> None:
    value = json.dumps(config, indent=indent)
    equals = equals and spelling != "-s"  # argparse matches no short prefix before `=`
    words = [f"{spelling}={value}"] if equals else [spelling, value]
    assert meaning(vllm(*words)) == meaning(vllm("--speculative-config", json.dumps(config)))


@given(CONFIG, st.sampled_from(SPELLINGS[:3]))
def test_dotted_keys_say_what_the_object_says(config, spelling) -> None:
    words = [w for key, value in config.items() for w in (f"{spelling}.{key}", str(value))]
    assert same_speculation(vllm(*words), vllm("-sc", json.dumps(config)))


@given(CONFIG, CONFIG, st.sampled_from(SPELLINGS))
def test_a_later_object_always_wins(first, second, spelling) -> None:
    found = vllm("-sc", json.dumps(first), spelling, json.dumps(second))
    assert meaning(found) == meaning(vllm("-sc", json.dumps(second)))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_the_last_number_of_steps_wins(steps) -> None:
    words = [w for step in steps for w in ("--speculative-num-steps", str(step))]
    found = launch("sglang", "serve", "m", *STEPS, *words)
    assert found.speculation is not None
    assert found.speculation.draft_length == steps[-1]


@given(CONFIG)
def test_a_launch_speculates_like_itself_and_not_like_one_without(config) -> None:
    one = vllm("-sc", json.dumps(config))
    assert same_speculation(one, vllm("-sc", json.dumps(config, sort_keys=True)))
    assert not same_speculation(one, vllm())
    assert not same_speculation(
        one,
        vllm(
            "-sc",
            json.dumps({**config, "num_speculative_tokens": config["num_speculative_tokens"] + 1}),
        ),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_json_reads_what_python_reads(value) -> None:
    source = json.dumps(value)
    scanned = json_text._Scanner(lit(source)).document()
    assert canonical(scanned) == canonical(json_text.read_known(source))
    assert canonical(json_text.read_loosely(lit(source))) == canonical(scanned)


@settings(max_examples=300)
@given(st.text(alphabet="{}[]:,\"'abe0123.-\\ \n<>", max_size=30))
def test_readers_of_text_only_raise_what_they_say(source) -> None:
    known: object
    try:
        known = json_text.read_known(source)
    except json_text.JsonError:
        known = json_text.JsonError
    try:
        scanned: object = json_text._Scanner(lit(source)).document()
    except json_text.JsonError:
        scanned = json_text.JsonError
    if known is json_text.JsonError or scanned is json_text.JsonError:
        assert known is scanned
    for reader in (json_text.read, json_text.read_loosely):
        try:
            reader(text(source))
        except (json_text.JsonError, json_text.Unknowable):
            pass
    try:
        read_yaml(text(source))
    except YamlError:
        pass
    split(text(source))


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            "--speculative-config -sc --speculative-config.k .k=v -0.5 -- - --config c.yaml = "
            '--spec-tokens 3 {a:b} {"method":"mtp" <X> --<X> -tp8 --model --model=x -O3 '
            "--speculative-algorithm EAGLE --method mtp --trtllm.a.b --set a.b=1".split(" ")
        ),
        max_size=6,
    ),
    st.sampled_from(
        [
            ["vllm", "serve"],
            ["python", "-m", "vllm.entrypoints.openai.api_server"],
            ["sglang", "serve"],
            ["python", "-m", "sglang.launch_server"],
            ["trtllm-serve"],
            ["python", "-m", "dynamo.trtllm"],
            ["python", "-m", "dynamo.vllm"],
            ["python", "-m", "dynamo.sglang"],
            ["python", "-m", "atom.entrypoints.openai_server"],
            ["python", "-m", "tilert.pd_vllm.decode_server"],
        ]
    ),
)
def test_no_command_line_crashes_a_reader(words, entry) -> None:
    launch(*entry, *words, files={"c.yaml": "a: <X>\nspeculative-config: {method: mtp}\n"})
