"""Small scripts with one unknown thing each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.holes.__main__ import main
from tests.holes.classify import Kind, opaque_tests, unknowns
from verifier.facts import Reading, read_recipe
from verifier.policy import Policy
from verifier.sources.local import LocalTree

NAME = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm.sh"


def tree(root: Path, text: str) -> Path:
    path = root / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return root


def kinds(root: Path, text: str) -> Mapping[str, Kind]:
    """What is unknown of each argument, for the last value told."""
    (recipe,) = read_recipe(
        NAME, LocalTree(str(tree(root, text))), Policy(), Reading(branches=True)
    )
    return {
        u.where: u.kind for launch in recipe.launches for u in unknowns(launch, recipe.branches)
    }


def test_inputs_and_what_is_computed_from_them(tmp_path: Path) -> None:
    found = kinds(
        tmp_path,
        'vllm serve "$MODEL" --port $((PORT + 1)) --seed "${SEED:-output:1}" -tp "${TP%%,*}"\n',
    )
    assert found == dict.fromkeys(["word 2", "--port", "--seed", "-tp"], Kind.INPUT)


def test_what_the_machine_tells(tmp_path: Path) -> None:
    found = kinds(
        tmp_path,
        'n=$(nvidia-smi -L | tail -n +2)\nvllm serve /m -tp "$n" --name "$(LC_ALL=C /bin/date)"\n',
    )
    assert found["--name"] is Kind.MACHINE


def test_what_another_program_prints_is_a_gap(tmp_path: Path) -> None:
    assert kinds(tmp_path, 'vllm serve /m -tp "$(my-tool)"\n') == {"-tp": Kind.GAP}


def test_loops_count_for_themselves(tmp_path: Path) -> None:
    text = 'A=""\nfor ((n = 0; n < N; n++)); do A+="$n,"; done\nvllm serve /m --x "$A"\n'
    assert kinds(tmp_path, text) == {"--x": Kind.LOOP}


def test_choices_are_looked_into(tmp_path: Path) -> None:
    # A launch is told apart by path a few times only; what is left is a choice.
    many = "".join(f'if [ "$X{n}" = 1 ]; then A{n}=a; else A{n}=$B; fi\n' for n in range(6))
    many += 'if [ "$Y" = 1 ]; then Z=a; else Z=$(my-tool); fi\n'
    words = " ".join(f'--a{n} "$A{n}"' for n in range(6))
    (recipe,) = read_recipe(
        NAME,
        LocalTree(str(tree(tmp_path, many + f'vllm serve /m {words} --z "$Z"\n'))),
        Policy(),
        Reading(branches=True),
    )
    found = [u for launch in recipe.launches for u in unknowns(launch, recipe.branches)]
    assert {u.kind for u in found if u.where == "--a5"} == {Kind.CHOICE, Kind.INPUT}
    assert {u.kind for u in found if u.where == "--z"} == {Kind.CHOICE, Kind.GAP}


def test_a_python_program_counts_for_itself(tmp_path: Path) -> None:
    text = 'vllm serve /m --x "$(python3 -c "import model; model.load()")"\n'
    assert kinds(tmp_path, text) == {"--x": Kind.PROGRAM}


def test_what_is_computed_from_choices_is_looked_into(tmp_path: Path) -> None:
    text = 'L=(1)\nif [ "$A" = 1 ]; then L+=($(seq 2 $N)); fi\nvllm serve /m --x "$(printf "%s," "${L[@]}")"\n'
    found = kinds(tmp_path, text)
    assert set(found) == {"--x"} and found["--x"] is not Kind.GAP
    assert kinds(tmp_path, text.replace("seq", "my-tool"))["--x"] is Kind.GAP


def test_a_named_file_counts_and_a_log_does_not(tmp_path: Path) -> None:
    found = kinds(
        tmp_path,
        'export LOG=run.log\necho 1 >$LOG\necho "a: $(my-tool)" >c.yaml\n'
        "vllm serve /m --config c.yaml\n",
    )
    assert found == {"file c.yaml": Kind.GAP}


def test_opaque_conditions_are_found(tmp_path: Path) -> None:
    (recipe,) = read_recipe(NAME, LocalTree(str(tree(tmp_path, "vllm serve /m\n"))), Policy())
    assert not any(list(opaque_tests(launch)) for launch in recipe.launches)


def test_the_report_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, 'vllm serve "$MODEL" -tp "$(my-tool)"\n')
    monkeypatch.setattr("sys.argv", ["holes", str(tmp_path), "--all"])
    assert main() == 0
    said = capsys.readouterr().out.splitlines()

    assert f"{NAME}:1:1: input: word 2: MODEL is an input [input:MODEL] at {NAME}:1:13" in said
    assert (
        f"{NAME}:1:1: gap: -tp: output of `my-tool` [stripped(output::27)] at {NAME}:1:28" in said
    )
    assert "     1 gap" in said and "     1 scripts" in said
    assert "     1 times: output of `my-tool`" in said
