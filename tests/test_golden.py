"""Golden curves: the committed numbers, strict loading, and the choice of the curve."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from verifier.golden import Golden, GoldenError
from verifier.model.text import Hole, Lit, Span, Text, hole
from verifier.sources.local import LocalTree

NAMES = (
    "dsv4-pro-0813-dspark",
    "dsv4_mtp",
    "glm5.2_mtp",
    "kimik2.5_eagle3",
    "kimik3_dspark",
    "kimik3_dspark_probabilistic_sample_method_block_rejection_sample_method",
    "minimaxm3_eagle3",
    "minimaxm3_eagle3_gqa",
    "qwen3.5_mtp",
)
PROBABILISTIC = NAMES[5]
GOLDEN = Golden.bundled()


def golden_of(folder: Path, **files: str) -> Golden:
    curves = folder / "golden_al_distribution"
    curves.mkdir()
    for name, text in files.items():
        (curves / f"{name}.yaml").write_text(text)
    return Golden.load(LocalTree(folder))


def test_every_curve_is_bundled_and_complete() -> None:
    assert GOLDEN.names == NAMES
    for name in NAMES:
        curve = GOLDEN.curve(name)
        for values in curve.modes.values():
            assert sorted(values) == list(range(1, 9))


@pytest.mark.parametrize(
    ("curve", "mode", "values"),
    [
        ("dsv4_mtp", "thinking_on", "1.79 2.27 2.49 2.54 2.55 2.55 2.54 2.58"),
        ("dsv4_mtp", "thinking_off", "1.92 2.61 2.97 3.00 3.10 3.16 3.00 3.11"),
        ("dsv4-pro-0813-dspark", "thinking_on", "1.84 2.51 3.01 3.36 3.61 3.77 3.73 3.47"),
        ("glm5.2_mtp", "thinking_on", "1.84 2.50 2.99 3.33 3.61 3.78 3.91 4.06"),
        ("kimik2.5_eagle3", "thinking_on", "1.83 2.43 2.88 3.24 3.46 3.62 3.71 3.77"),
        ("kimik2.5_eagle3", "thinking_off", "1.80 2.33 2.75 3.06 3.25 3.43 3.46 3.51"),
        ("kimik3_dspark", "thinking_on", "1.84 2.45 2.87 3.22 3.44 3.54 3.78 3.88"),
        (PROBABILISTIC, "thinking_on", "1.85 2.51 3.00 3.36 3.62 3.75 3.84 4.00"),
        ("minimaxm3_eagle3", "thinking_on", "1.78 2.38 2.83 3.11 3.35 3.45 3.53 3.74"),
        ("minimaxm3_eagle3", "thinking_off", "1.84 2.52 2.93 3.41 3.59 3.57 3.85 4.06"),
        ("minimaxm3_eagle3_gqa", "thinking_on", "1.79 2.39 2.78 3.02 3.21 3.30 3.52 3.51"),
        ("minimaxm3_eagle3_gqa", "thinking_off", "1.83 2.46 2.97 3.29 3.72 3.76 3.75 3.93"),
        ("qwen3.5_mtp", "thinking_on", "1.93 2.73 3.39 3.97 4.41 4.80 5.04 5.21"),
        ("qwen3.5_mtp", "thinking_off", "1.92 2.70 3.33 3.83 4.20 4.48 4.73 4.71"),
    ],
)
def test_the_numbers(curve: str, mode: str, values: str) -> None:
    cells = GOLDEN.curve(curve).modes[mode]
    assert [str(cells[k].value) for k in range(1, 9)] == values.split()


@pytest.mark.parametrize(
    ("prefix", "method", "length", "more", "curve", "value"),
    [
        ("dsv4", "mtp", 3, {}, "dsv4_mtp", "2.49"),
        ("dsv4", "MTP", 3, {"thinking": "off"}, "dsv4_mtp", "2.97"),
        ("dsv4", "EAGLE", 3, {"engine": "sglang"}, "dsv4_mtp", "2.49"),
        ("dsv4", "nextn", 2, {"engine": "sglang"}, "dsv4_mtp", "2.27"),
        ("dsv4", "dspark", 7, {"engine": "vllm"}, "dsv4-pro-0813-dspark", "3.73"),
        ("dsv4dsparkprob", "dspark", 3, {}, "dsv4-pro-0813-dspark", "3.01"),
        ("kimik3", "dspark", 7, {"engine": "vllm"}, "kimik3_dspark", "3.78"),
        ("kimik3", "dspark", 7, {"engine": "atom"}, PROBABILISTIC, "3.84"),
        ("kimik3", "dspark", 3, {"draft_sample_method": "probabilistic"}, PROBABILISTIC, "3.00"),
        ("kimik3", "dspark", 4, {"draft_sample_method": "greedy"}, "kimik3_dspark", "3.22"),
        ("minimaxm3", "eagle3", 3, {"draft_model": "x/EAGLE3"}, "minimaxm3_eagle3", "2.83"),
        ("minimaxm3", "eagle3", 3, {"draft_model": "x/E3-gqA"}, "minimaxm3_eagle3_gqa", "2.78"),
        ("minimaxm3", "EAGLE", 3, {"draft_model": "x/E"}, "minimaxm3_eagle3", "2.83"),
        ("qwen3.5", "mtp", 3, {}, "qwen3.5_mtp", "3.39"),
    ],
)
def test_choice(
    prefix: str, method: str, length: int, more: dict[str, str], curve: str, value: str
) -> None:
    choice = GOLDEN.choose(prefix, method, length, **more)
    assert choice.problem is None
    assert choice.curve is not None
    assert choice.cell is not None
    assert (choice.curve.name, str(choice.value)) == (curve, value)
    assert choice.cell.span.path == f"golden_al_distribution/{curve}.yaml"
    line = Path(choice.cell.span.path).read_text().splitlines()[choice.cell.span.line - 1]
    assert line.strip() == f"{length}: {value}"


UNKNOWN_DRAFT = hole("DRAFT is an input", "input:DRAFT")
LOCAL = Text((*UNKNOWN_DRAFT.pieces, Lit("/MiniMax-M3-EAGLE3")))
LOCAL_GQA = Text((*UNKNOWN_DRAFT.pieces, Lit("/M3-GQA")))


@pytest.mark.parametrize(
    ("draft", "curve"),
    [(LOCAL, "minimaxm3_eagle3"), (LOCAL_GQA, "minimaxm3_eagle3_gqa"), (UNKNOWN_DRAFT, None)],
)
def test_draft_head_of_a_name_with_unknown_parts(draft: Text, curve: str | None) -> None:
    choice = GOLDEN.choose("minimaxm3", "eagle3", 3, draft_model=draft)
    if curve is None:
        assert choice.code == "ambiguous_curve"
        assert choice.candidates == ("minimaxm3_eagle3", "minimaxm3_eagle3_gqa")
        assert "2.83" in str(choice.problem)
        assert "2.78" in str(choice.problem)
    else:
        assert choice.curve is not None
        assert choice.curve.name == curve


def test_a_kimi_draft_whose_sampler_is_unknown_is_ambiguous() -> None:
    choice = GOLDEN.choose("kimik3", "dspark", 4)
    assert choice.code == "ambiguous_curve"
    assert choice.value is None
    assert "3.22" in str(choice.problem)
    assert "3.36" in str(choice.problem)


def test_a_model_alone_names_no_curve() -> None:
    choice = GOLDEN.choose("kimik3", None, 4)
    assert choice.code == "method_unknown"
    assert choice.candidates == ("kimik3_dspark", PROBABILISTIC)


@pytest.mark.parametrize(
    ("prefix", "method", "length", "thinking", "code"),
    [
        ("dsr1", "mtp", 3, "on", "no_curve"),
        ("../dsv4", "mtp", 3, "on", "no_curve"),
        ("dsv4", "eagle3", 3, "on", "no_curve"),
        ("dsv4", "mtp", 9, "on", "no_golden_value"),
        ("dsv4", "mtp", 0, "on", "no_golden_value"),
        ("glm5.2", "mtp", 3, "off", "no_golden_value"),
        ("dsv4", "mtp", None, "on", "draft_length_unknown"),
    ],
)
def test_no_value(prefix: str, method: str, length: int | None, thinking: str, code: str) -> None:
    choice = GOLDEN.choose(prefix, method, length, thinking)
    assert (choice.code, choice.value) == (code, None)
    assert choice.problem


def test_a_missing_length_is_not_extrapolated(tmp_path: Path) -> None:
    golden = golden_of(tmp_path, x_mtp="m:\n  thinking_on:\n    1: 1.5\n    5: 3.51\n")
    choice = golden.choose("x", "mtp", 7)
    assert choice.code == "no_golden_value"
    assert "it has: 1, 5" in str(choice.problem)


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    golden = golden_of(tmp_path, x_mtp="m:\n  thinking_on:\n    3: 2.490\n")
    assert golden.choose("x", "mtp", 3).value == Decimal("2.49")
    assert golden.choose("x", "mtp", 3).value != Decimal("2.4999")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x_mtp.yaml:1: the file is empty"),
        ("m: [1]\n", "x_mtp.yaml:1: m: expected a mapping, not a list"),
        (
            "m: {thinking_on: {1: 1.5}}\nn: {}\n",
            "x_mtp.yaml:1: expected exactly one model, found 2",
        ),
        ("m:\n  thinking: {1: 1.5}\n", "x_mtp.yaml:2: m.thinking: unknown mode"),
        (
            "m:\n  thinking_on:\n    1: high\n",
            "x_mtp.yaml:3: m.thinking_on.1: expected a number, not the text 'high'",
        ),
        ("m:\n  thinking_on:\n    1: '1.5'\n", "m.thinking_on.1: expected a number, not the text"),
        (
            "m:\n  thinking_on:\n    1: true\n",
            "m.thinking_on.1: expected a number, not the boolean",
        ),
        ("m:\n  thinking_on:\n    1: .nan\n", "m.thinking_on.1: expected a number"),
        (
            "m:\n  thinking_on:\n    1: 1.5\n    1: 1.6\n",
            "x_mtp.yaml:4: m.thinking_on.1: duplicate",
        ),
        ("m:\n  thinking_on:\n    1: 2.5\n", "2.5 is not an acceptance length of 1 draft tokens"),
        ("m:\n  thinking_on:\n    1: 0.5\n", "must lie in [1, 2]"),
        ("m:\n  thinking_on:\n    0: 1\n", "the key must be a number of draft tokens"),
        ("m:\n  thinking_on:\n    1.5: 1\n", "the key must be a number of draft tokens"),
        ("m: {thinking_on: {1: 1.5\n", "x_mtp.yaml:2: not valid YAML"),
        ("m: &a {thinking_on: *a}\n", "x_mtp.yaml:1: anchors and aliases"),
    ],
)
def test_a_broken_curve_names_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    golden = golden_of(tmp_path, x_mtp=text)
    with pytest.raises(GoldenError) as caught:
        golden.curve("x_mtp")
    assert message in str(caught.value)
    choice = golden.choose("x", "mtp", 1)
    assert choice.code == "invalid_curve"
    assert message in str(choice.problem)
    assert isinstance(choice.span, Span)


def test_a_broken_curve_does_not_hide_another(tmp_path: Path) -> None:
    golden = golden_of(tmp_path, x_mtp="m: 3", y_mtp="m:\n  thinking_on:\n    1: 1.5\n")
    assert golden.choose("y", "mtp", 1).value == Decimal("1.5")


def test_a_tree_without_curves_uses_the_bundled_ones(tmp_path: Path) -> None:
    assert Golden.load(LocalTree(tmp_path)).names == NAMES


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    golden = golden_of(tmp_path, x_mtp="m:\n  thinking_on: {2: 2.1, 1: 1.5}\n")
    assert golden.choose("x", "mtp", 1).value == Decimal("1.5")


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        (("/a/M3-EAGLE3-GQA", "b/M3-EAGLE3-GQA"), ["minimaxm3_eagle3_gqa"]),
        (("/a/M3-EAGLE3", "b/M3-EAGLE3"), ["minimaxm3_eagle3"]),
        (("/a/M3-EAGLE3-GQA", "b/M3-EAGLE3"), []),
    ],
)
def test_a_draft_model_with_several_names_decides_when_they_agree(
    choices: tuple[str, ...], names: list[str]
) -> None:
    draft = Text((Hole("two branches", "either:draft", choices=choices),))
    choice = GOLDEN.choose("minimaxm3", "eagle3", 3, "on", draft_model=draft, engine="trtllm")
    assert [choice.curve.name] * bool(choice.value) == names if choice.curve else not names


def test_a_sampler_that_is_not_known_is_not_the_default() -> None:
    choice = GOLDEN.choose(
        "kimik3", "dspark", 4, "on", draft_sample_method="unknown", engine="vllm"
    )
    assert choice.value is None and len(choice.candidates) == 2
