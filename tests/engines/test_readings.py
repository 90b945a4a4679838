"""Arguments that can be several things, versions, comparison, and other readings."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.engines.build import POLICY, command, launch, open_word, speculation
from verifier.engines import read_launch
from verifier.engines.compare import same_speculation
from verifier.engines.shellwords import split
from verifier.engines.versions import Version, of_image
from verifier.model.launch import Launch
from verifier.model.record import replace
from verifier.model.text import Hole, Text, Word, lit

MTP = '{"method":"mtp","num_speculative_tokens":3}'
NGRAM = '{"method":"ngram","num_speculative_tokens":3}'


def vllm(*words: object) -> Launch:
    return launch("vllm", "serve", "m", *words)  # type: ignore[arg-type]


def test_alternatives_that_agree_are_known() -> None:
    found = vllm(open_word("x", ["-sc", MTP], [f"--speculative_config={MTP}"]))
    assert speculation(found).draft_length == 3
    assert not found.unresolved


def test_alternatives_that_differ_make_only_the_difference_unknown() -> None:
    found = vllm(open_word("x", ["-sc", MTP], ["-sc", MTP.replace("3", "5")]))
    assert speculation(found).method == "mtp"
    assert speculation(found).draft_length is None
    assert speculation(found).unknown
    assert isinstance(found.speculative_settings["num_speculative_tokens"], Text)
    assert found.speculative_settings["method"] == "mtp"


def test_speculation_in_one_alternative_is_not_off() -> None:
    found = vllm(open_word("x", ["-sc", NGRAM], []))
    assert speculation(found).method is None
    assert speculation(found).copies_context is None
    assert [s.method for s in found.other_speculations] == ["ngram"]


def test_choices_of_a_file_are_read_one_by_one() -> None:
    mtp = "speculative_config: {decoding_type: MTP, max_draft_len: 3}\n"
    for other, length in ((mtp + "max_batch_size: 8\n", 3), (mtp.replace("3", "2"), None)):
        content = Text((Hole("it differs between branches", "x", choices=(mtp, other)),))
        base = command(["trtllm-serve", "m", "--config", "c.yaml"])
        found = read_launch(replace(base, files={"c.yaml": content}), POLICY)
        assert found is not None
        assert speculation(found).method == "mtp"
        assert speculation(found).draft_length == length


def test_choices_of_a_word_are_read_one_by_one_and_the_words_stay() -> None:
    words = Text((Hole("it differs between branches", "x", choices=(MTP, NGRAM)),))
    base = command(["vllm", "serve", "<M>", "-sc", "x"])
    found = read_launch(replace(base, argv=(*base.argv[:-1], Word(words))), POLICY)
    assert found is not None
    assert speculation(found).draft_length == 3
    assert speculation(found).copies_context is None
    assert {s.method for s in found.other_speculations} == {"mtp", "ngram"}
    assert found.argv[-1].text == words
    assert found.command.argv[-1].text == words


def test_choices_of_an_open_word_are_split() -> None:
    words = Text((Hole("it differs", "x", choices=("", "--async-scheduling", " -tp  8 ")),))
    base = command(["vllm", "serve", "m", "x", "--port", "80"])
    argv = (*base.argv[:3], Word(words, splits=True), *base.argv[4:])
    found = read_launch(replace(base, argv=argv), POLICY)
    assert found is not None
    assert not found.unresolved
    assert found.settings["port"].value == 80
    assert isinstance(found.parallelism["tensor"].value, Text)
    assert found.argv[3].splits


def test_a_file_that_is_not_known_is_unresolved() -> None:
    found = launch("trtllm-serve", "m", "--config", "c.yaml", files={"c.yaml": "<CONTENT>"})
    assert found.refused is None
    assert found.unresolved
    assert speculation(found).copies_context is None


def test_a_single_alternative_is_the_words() -> None:
    found = vllm(open_word("x", ["-sc", MTP]))
    assert speculation(found).draft_length == 3


def test_a_refusal_in_one_alternative_is_unresolved() -> None:
    found = vllm(open_word("x", ["-tp", "8"], ["-tp", "x"]))
    assert found.refused is None
    assert "an integer" in found.unresolved[0].text
    assert isinstance(found.parallelism["tensor"].value, Text)


def test_an_open_word_as_a_value_is_one_word() -> None:
    found = vllm("--tensor-parallel-size", open_word("<TP>"), "--port", open_word("<PORT>"))
    assert not found.unresolved
    assert isinstance(found.parallelism["tensor"].value, Text)


def test_an_open_word_elsewhere_may_hold_anything() -> None:
    found = vllm("--port", "80", open_word("<EXTRA>"))
    assert [note.text for note in found.unresolved] == [
        "$EXTRA may hold any arguments: EXTRA is an input"
    ]


def test_json_beside_dotted_keys_is_read_both_ways() -> None:
    found = vllm("-sc", NGRAM, "-sc.method", "mtp", "-sc.num_speculative_tokens", "3")
    assert speculation(found).copies_context is False
    assert [s.copies_context for s in found.other_speculations] == [True]
    found = vllm("-sc", MTP, "-sc.method", "ngram")
    assert speculation(found).copies_context is True


def test_comparison_is_by_meaning() -> None:
    one = vllm("-sc", '{"method": "mtp", "num_speculative_tokens": 3}')
    assert same_speculation(
        one, vllm('--speculative_config={"num_speculative_tokens":3,"method":"mtp"}')
    )
    assert not same_speculation(one, vllm("-sc", NGRAM))
    assert not same_speculation(one, vllm())
    assert same_speculation(vllm(), vllm("-tp", "8"))
    assert same_speculation(vllm("-sc", "<S>"), vllm("-sc", "<S>"))
    assert not same_speculation(vllm("-sc", "<S>"), vllm("-sc", "<T>"))
    assert not same_speculation(vllm("-sc", "<S>"), vllm("-sc", "<S>", "-tp", "8"))


def test_the_environment_counts_in_a_comparison() -> None:
    words = (
        *("sglang", "serve", "m", "--speculative-algo", "EAGLE"),
        *("--speculative-num-steps", "3", "--speculative-eagle-topk", "1"),
    )
    one = launch(*words, env={"SGLANG_SIMULATE_ACC_LEN": "2.49"})
    assert same_speculation(one, launch(*words, env={"SGLANG_SIMULATE_ACC_LEN": "2.490"}))
    assert not same_speculation(one, launch(*words))


@pytest.mark.parametrize(
    ("image", "engine", "version"),
    [
        ("vllm/vllm-openai:v0.27.1", "vllm", Version(0, 27, 1)),
        ("vllm/vllm-openai:v0.10.0-x86_64", "vllm", Version(0, 10, 0)),
        ("lmsysorg/sglang:v0.5.16-rocm700-mi35x", "sglang", Version(0, 5, 16)),
        ("rocm/sgl-dev:sglang-0.5.12-rocm700-mi30x", "sglang", Version(0, 5, 12)),
        ("nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc14", "trtllm", Version(1, 3, 0, 14)),
        ("vllm/vllm-openai:nightly-0123abcd", "vllm", None),
        ("lmsysorg/sglang:latest", "sglang", None),
        ("vllm/vllm-openai:v0.27.1", "sglang", None),
        ("nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.8.1.post2", "trtllm", None),
        ("localhost:5000/vllm", "vllm", None),
    ],
)
def test_image(image: str, engine: str, version: Version | None) -> None:
    assert of_image(image, engine) == version  # type: ignore[arg-type]


EAGLE = (
    "--speculative-algo",
    "EAGLE",
    "--speculative-num-steps",
    "3",
    "--speculative-eagle-topk",
    "1",
)


@pytest.mark.parametrize(
    ("image", "words", "kind", "length"),
    [
        ("lmsysorg/sglang:v0.5.15", EAGLE, "synthetic", "3.78"),
        ("lmsysorg/sglang:v0.5.14", EAGLE, "real", None),
        (
            "lmsysorg/sglang:v0.5.17",
            ("--speculative-algo", "DSPARK", "--speculative-dspark-block-size", "7"),
            "synthetic",
            "4",
        ),
        (
            "lmsysorg/sglang:v0.5.18",
            ("--speculative-algo", "DSPARK", "--speculative-dspark-block-size", "7"),
            "synthetic",
            "3.78",
        ),
        (
            "lmsysorg/sglang:v0.5.16",
            ("--speculative-algo", "DFLASH", "--speculative-draft-model", "d"),
            "real",
            None,
        ),
    ],
)
def test_a_version_that_ignores_or_rounds_the_length(image, words, kind, length) -> None:
    found = launch(
        "sglang", "serve", "m", *words, env={"SGLANG_SIMULATE_ACC_LEN": "3.78"}, image=image
    )
    acceptance = speculation(found).acceptance
    assert acceptance.kind == kind
    assert acceptance.length == (None if length is None else Decimal(length))
    assert acceptance.written == "3.78"


def test_older_vllm_knows_a_rate_instead_of_a_length() -> None:
    old = (
        '{"method":"mtp","num_speculative_tokens":3,"rejection_sample_method":"synthetic",'
        '"synthetic_acceptance_rate":0.5}'
    )
    found = launch("vllm", "serve", "m", "-sc", old, image="vllm/vllm-openai:v0.19.1")
    assert speculation(found).acceptance.length == Decimal("2.5")
    assert speculation(found).acceptance.exact is False
    new = old.replace('"synthetic_acceptance_rate":0.5', '"synthetic_acceptance_length":2.5')
    found = launch("vllm", "serve", "m", "-sc", new, image="vllm/vllm-openai:v0.19.1")
    assert found.refused is not None
    assert "0.19.1" in found.refused


def test_older_tensorrt_llm_reads_an_integer() -> None:
    files = {"c.yaml": "speculative_config: {decoding_type: MTP, max_draft_len: 3}\n"}
    name = "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS"
    for value, kind in (("2.6", "real"), ("2", "synthetic")):
        found = launch(
            "trtllm-serve",
            "m",
            "--config",
            "c.yaml",
            env={name: value},
            files=files,
            image="nvcr.io/nvidia/tensorrt-llm/release:1.2.1",
        )
        assert speculation(found).acceptance.kind == kind


def test_the_policy_names_a_version() -> None:
    policy = replace(POLICY, engine_versions={"vllm": "0.33.0"})
    found = launch("vllm", "serve", "m", "--some-new-flag", "3", policy=policy)
    assert found.refused == "vLLM 0.33.0 has no option --some-new-flag"


def test_shell_words() -> None:
    words = split(lit("a 'b c' \"d\\\"e\" f\\ g ''"))
    assert words is not None
    assert [word.known for word in words] == ["a", "b c", 'd"e', "f g", ""]
    assert split(lit("'a")) is None


def test_an_option_of_an_older_release_is_refused_by_a_newer_one() -> None:
    words = ("sglang", "serve", "m", "--cuda-graph-max-bs", "16")
    assert launch(*words, image="lmsysorg/sglang:v0.5.18").refused is None
    assert launch(*words, image="lmsysorg/sglang:v0.5.23").refused is not None
