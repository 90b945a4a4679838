"""Arguments that are several lists of words: read in few steps, and never wrongly refused."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engines.build import POLICY, command, launch, open_word, speculation
from verifier.engines import read_launch
from verifier.engines.compare import canonical
from verifier.engines.splices import MAX_READINGS, readings
from verifier.model.launch import Launch
from verifier.model.text import Text, Word, hole

MTP = '{"method":"mtp","num_speculative_tokens":3}'
PARALLEL = open_word("x", ["--tensor-parallel-size", "8"], ["--tensor-parallel-size=1", "-dp", "8"])


def vllm(*words: str | Word) -> Launch:
    return launch("vllm", "serve", "m", *words)


def several(count: int) -> list[Word]:
    """Parts that have nothing to do with each other."""
    names = ("--seed", "--block-size", "--swap-space", "--max-num-seqs", "--port", "--nnodes")
    return [open_word("x", [name, "1"], [name, "2"], []) for name in names[:count]]


def test_many_parts_are_read_one_after_the_other() -> None:
    words = ["vllm", "serve", "m", "-sc", MTP, PARALLEL, *several(6), open_word("x", ["-ep"], [])]
    assert len(readings(command(words))) < 20 < MAX_READINGS < 3**6
    found = launch(*words)
    assert found.refused is None
    assert not found.unresolved
    assert speculation(found).draft_length == 3
    assert isinstance(found.parallelism["tensor"].value, Text)
    assert isinstance(found.settings["seed"].value, Text)


def test_parts_of_one_setting_are_combined() -> None:
    one = open_word("x", ["-tp", "8"], [])
    found = vllm(one, *several(3), one)
    assert isinstance(found.parallelism["tensor"].value, Text)
    same = open_word("x", ["-tp", "8"], ["--tensor-parallel-size=8"])
    assert vllm(same, *several(3), one).parallelism["tensor"].value == 8


def test_speculation_is_combined_over_its_options() -> None:
    found = launch(
        "python3",
        "-m",
        "sglang.launch_server",
        "--model-path",
        "m",
        open_word("x", ["--speculative-algorithm", "EAGLE"], []),
        *several(0),
        open_word(
            "x",
            ["--speculative-num-steps", "3", "--speculative-eagle-topk", "1"],
            ["--speculative-num-steps", "2", "--speculative-eagle-topk", "1"],
        ),
    )
    assert speculation(found).method is None
    assert {s.draft_length for s in found.other_speculations} == {2, 3}


def test_a_part_may_be_the_value_of_the_option_before_it() -> None:
    value = open_word("x", ["8", "-ep"], ["1", "-dp", "8"])
    found = vllm("--tensor-parallel-size", value, *several(6))
    assert found.refused is None
    assert not found.unresolved
    assert isinstance(found.parallelism["tensor"].value, Text)


def test_neighbours_that_share_an_option_are_combined() -> None:
    first = open_word("x", ["-tp"], ["-pp"])
    second = open_word("x", ["8"], ["4"])
    assert len(readings(command(["vllm", "serve", "m", first, second]))) == 4


def test_a_list_that_is_not_read_is_no_reason_to_refuse() -> None:
    many = [[f"--{name}", str(n)] for name in ("method", "spec-method") for n in range(40)]
    found = vllm(open_word("x", *many), "-tp", "8", open_word("x", *many), "1")
    assert found.refused is None
    assert any("may hold any arguments" in note.text for note in found.unresolved)
    listed = Word(hole("elements of ARGS differ between branches", "branch:ARGS"), splits=True)
    found = vllm("--tensor-parallel-size", listed, "1")
    assert found.refused is None
    assert found.unresolved


def test_a_value_without_quotes_is_taken_as_one_word_and_said_so() -> None:
    found = vllm("--tensor-parallel-size", open_word("<TP>"), open_word("--port=<PORT>"))
    assert not found.unresolved
    assert [note.text for note in found.assumptions] == [
        "$TP, $PORT without quotes: taken as one word each, not empty and without blanks"
    ]


FLAGS = ("-tp", "-pp", "-dp", "--spec-method", "--spec-tokens", "--seed")
PART = st.lists(
    st.lists(st.tuples(st.sampled_from(FLAGS), st.sampled_from("12")), max_size=2),
    min_size=1,
    max_size=3,
).map(lambda sides: [[word for pair in side for word in pair] for side in sides])


@settings(max_examples=60, deadline=None)
@given(st.lists(PART, min_size=1, max_size=4), st.booleans())
def test_what_is_known_holds_in_every_combination(
    parts: list[list[list[str]]], literal: bool
) -> None:
    between = ["--block-size", "16"] if literal else []
    words: list[str | Word] = ["vllm", "serve", "m"]
    for part in parts:
        words += [open_word("x", *part), *between]
    found = read_launch(command(words), POLICY)
    assert found is not None
    for chosen in product(*parts):
        plain = ["vllm", "serve", "m"]
        for side in chosen:
            plain += [*side, *between]
        single = launch(*plain)
        assert not found.refused or single.refused
        for name in {*found.settings, *single.settings}:
            known = found.settings.get(name)
            assert known is not None
            if isinstance(known.value, Text):
                continue
            assert name in single.settings
            assert canonical(known.value) == canonical(single.settings[name].value)
        if found.speculation is None:
            assert single.speculation is None
        elif found.speculation.draft_length is not None:
            assert speculation(single).draft_length == found.speculation.draft_length
