"""Config files by the name that the script uses, and where a launch says its parts are written."""

from __future__ import annotations

import pytest

from tests.engines.build import POLICY, SPAN, command, launch, speculation, text
from verifier.engines import read_launch
from verifier.engines.places import of_key
from verifier.model.command import Command
from verifier.model.launch import Launch
from verifier.model.record import replace
from verifier.model.text import Hole, Lit, Origin, Span, Text, Word

MTP = "speculative_config:\n  decoding_type: MTP\n  max_draft_len: 3\n"
LIBRARY = Span("library.sh", 7)


def read(given: Command) -> Launch:
    found = read_launch(given, POLICY)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "cwd", "key"),
    [
        ("./c.yaml", None, "c.yaml"),
        ("<DIR>/c.yaml", None, "$DIR/c.yaml"),
        ("<DIR>/x/../c.yaml", None, "$DIR/c.yaml"),
        ("c.yaml", "/run", "/run/c.yaml"),
        ("../c.yaml", "<DIR>/sub", "$DIR/c.yaml"),
    ],
)
@pytest.mark.parametrize("words", [["--config", "{}"], ["--config={}"]])
def test_a_file_is_found_under_its_key(
    name: str, cwd: str | None, key: str, words: list[str]
) -> None:
    argv = ["trtllm-serve", "m", *(word.format(name) for word in words)]
    given = replace(command(argv, files={key: MTP}), cwd=None if cwd is None else text(cwd))
    found = read(given)
    assert not found.unresolved
    assert speculation(found).draft_length == 3


def test_a_file_of_another_folder_is_not_taken() -> None:
    given = command(["trtllm-serve", "m", "--config", "c.yaml"], files={"c.yaml": MTP})
    found = read(replace(given, cwd=text("/elsewhere")))
    assert [note.text for note in found.unresolved] == [
        "--config: c.yaml is not written by the script, so its settings are not known"
    ]


@pytest.mark.parametrize(
    "argv",
    [
        ["trtllm-serve", "m", "--config", "c.yaml"],
        ["vllm", "serve", "m", "--config", "c.yaml"],
        ["python3", "-m", "sglang.launch_server", "--model-path", "m", "--config", "c.yaml"],
        ["python3", "-m", "dynamo.trtllm", "--model", "m", "--extra-engine-args", "c.yaml"],
    ],
)
def test_a_file_of_unknown_content_is_unresolved(argv: list[str]) -> None:
    for content in ("<CONTENT>", "a: 1\n<MORE>\n"):
        found = launch(*argv, files={"c.yaml": content})
        assert found.refused is None
        assert "cannot be read" in found.unresolved[0].text


def test_holes_inside_a_file_hide_only_their_values() -> None:
    found = launch(
        "trtllm-serve", "m", "--config", "c.yaml", files={"c.yaml": MTP + "tokens: <N>\n"}
    )
    assert not found.unresolved
    assert speculation(found).draft_length == 3
    assert isinstance(found.settings["tokens"].value, Text)


def test_choices_of_a_file_named_through_an_input_are_read_one_by_one() -> None:
    content = Text((Hole("it differs", "x", choices=(MTP, MTP.replace("3", "2"))),))
    given = command(["trtllm-serve", "m", "--config", "<DIR>/c.yaml"])
    found = read(replace(given, files={"$DIR/c.yaml": content}))
    assert speculation(found).method == "mtp"
    assert speculation(found).draft_length is None


# Places


def way(*steps: tuple[Span, str]) -> Origin:
    """An origin from its steps, the oldest first."""
    origin: Origin | None = None
    for span, how in steps:
        origin = Origin(span, how, origin)
    assert origin is not None
    return origin


def line(number: int) -> Span:
    return Span(SPAN.path, number)


def test_places_are_those_of_the_literals() -> None:
    config = '{"method":"mtp","num_speculative_tokens":3,"rejection_sample_method":"synthetic",'
    written = way((line(3), "literal"), (line(3), "assigned to SPEC"), (SPAN, "expanded"))
    length = way((line(2), "literal"), (line(3), "expanded from $AL"), (SPAN, "expanded"))
    value = Text(
        (
            Lit(config + '"synthetic_acceptance_length":', written),
            Lit("2.49", length),
            Lit("}", written),
        )
    )
    base = command(["vllm", "serve", "m", "-sc"])
    found = read(replace(base, argv=(*base.argv, Word(value))))
    assert speculation(found).span == line(3)
    assert speculation(found).acceptance.span == line(2)
    assert found.argv[-1].text.span == SPAN, "the argument keeps its way"


def test_what_a_library_wrote_is_placed_where_the_script_uses_it() -> None:
    number = Lit("8", way((LIBRARY, "literal"), (line(4), "expanded from $TP"), (SPAN, "expanded")))
    base = command(["vllm", "serve", "m", "-tp"])
    found = read(replace(base, argv=(*base.argv, Word(Text((number,))))))
    assert found.settings["tensor_parallel_size"].span == line(4)


def test_a_refusal_is_placed_at_the_literal() -> None:
    wrong = Lit("eight", way((line(4), "literal"), (SPAN, "expanded")))
    base = command(["vllm", "serve", "m", "-tp"])
    found = read(replace(base, argv=(*base.argv, Word(Text((wrong,))))))
    assert found.refused_span == line(4)


def test_speculation_of_a_file_is_placed_in_the_file() -> None:
    content = Text((Lit("a: 1\n" + MTP, Origin(Span(SPAN.path, 5, 1, 9, 1))),))
    given = command(["trtllm-serve", "m", "--config", "c.yaml"])
    found = read(replace(given, files={"c.yaml": content}))
    assert speculation(found).span == line(6)
    assert found.settings["a"].span == Span(SPAN.path, 5, 1, 9, 1)


def test_the_last_of_duplicate_keys_is_the_place() -> None:
    first, second = Origin(line(1)), Origin(line(2))
    value = Text((Lit('{"a-b":', first), Lit("1", first), Lit(',"a_b":2}', second)))
    assert of_key(value, "a_b") == line(2)
    assert of_key(value, "b") is None
