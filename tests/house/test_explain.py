"""What a reviewer reads of how values came about."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.cli_judge import source_of
from verifier.explain import explain
from verifier.facts import Reading, read_recipe
from verifier.model.record import replace
from verifier.policy import Policy

NAME = "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm.sh"
POLICY = Policy()
ONCE = replace(POLICY, limits=replace(POLICY.limits, ways=1))


def said(text: str, line: int | None = None, **files: str) -> str:
    """The explanation; `S` stands for the script's path."""
    tree = MemoryTree({NAME: text, **{f"{name}.sh": content for name, content in files.items()}})
    (recipe,) = read_recipe(NAME, tree, ONCE, Reading(branches=True))
    shown = explain(recipe.launches, source_of(tree), line, width=100, branches=recipe.branches)
    return shown.replace(NAME, "S")


BRANCH = """if [ "$DP" = true ]; then
  PORT=$((BASE + 1))
else
  PORT=$BASE
fi
vllm serve /m --port "$PORT" \\
  --seed 1
"""


def test_both_sides_of_a_branch_are_told_with_their_condition() -> None:
    assert (
        said(BRANCH)
        == """S:6:1: vllm
  vllm serve /m
    S:6:1: literal
      | vllm serve /m --port "$PORT" \\
  --port <PORT differs between branches>
    S:6:15: expanded from $PORT
      | vllm serve /m --port "$PORT" \\
    where DP is "true": <computed from BASE>
      S:2:3: assigned to PORT, computed by $(( ))
        | PORT=$((BASE + 1))
        in the branch of S:1:4: if [ "$DP" = true ]; then
    else: <BASE is an input>
      S:4:3: assigned to PORT, expanded from $BASE
        | PORT=$BASE
        in the else branch of S:1:1: if [ "$DP" = true ]; then
  --seed 1
    S:7:3: literal
      | --seed 1
"""
    )


@pytest.mark.parametrize("line", [1, 2, 4])
def test_lines_behind_a_value_lead_to_it(line: int) -> None:
    shown = said(BRANCH, line)
    assert "--port" in shown and "\n  --seed" not in shown and "\n  vllm" not in shown


def test_lines_without_a_part_lead_nowhere() -> None:
    assert said("# nothing\n" + BRANCH, 1) == ""
    assert said(BRANCH, 6) == said(BRANCH)


def test_a_line_that_only_decides_on_the_launch_leads_to_it() -> None:
    script = """if [ "$A" = 1 ]; then
  [ "$N" -gt 4 ] || exit 1
  vllm serve /m --x 1
fi
"""
    for line in (1, 2):
        shown = said(script, line)
        head = 'S:3:3: vllm\n  in the branch of S:1:4: if [ "$A" = 1 ]; then\n  when A is "1"'
        assert shown.startswith(head) and "--x" not in shown
    assert said(script, 3).count("in the branch of") == 1


def test_a_call_leads_to_all_of_its_launch() -> None:
    script = "run() {\n  vllm serve /m --x 1\n}\nrun\n"
    assert said(script, 4) == said(script) != ""


def test_clauses_of_a_case_are_told_in_a_row() -> None:
    script = """case "$B" in
  a) A=(--x 1) ;;
  b) A=(--y) ;;
  *) A=() ;;
esac
vllm serve /m "${A[@]}"
"""
    starts = ("    where", "    else")
    lines = [line for line in said(script).splitlines() if line.startswith(starts)]
    assert lines[-1] == "    else: nothing"
    assert {line.partition("where ")[2] for line in lines[:2]} == {
        'B is "a": --x 1',
        'B is "b": --y',
    }


def test_what_arguments_share_is_told_once() -> None:
    script = 'A=(vllm serve /m)\nA+=(\n  --a 1\n  --b 2\n  --c "$X"\n)\n"${A[@]}" &\n'
    shown = said(script)
    assert shown.count('| "${A[@]}" &') == 1
    assert "by way of\n    S:7:2: expanded from $A\n" in shown


def test_values_stay_with_their_flags() -> None:
    script = 'vllm serve /m --seed $S --quiet "${A[@]}" --port="$P"\n'
    labels = [line for line in said(script).splitlines() if line[:3].strip() and line[3:4] != " "]
    assert labels[1:] == [
        "  vllm serve /m",
        "  --seed <S is an input> …",
        "  --quiet",
        "  <A may be unset> …",
        "  --port=<P is an input>",
    ]


def test_a_library_is_named() -> None:
    script = 'source "$(dirname "$0")/lib.sh"\nvllm serve /m --port "$PORT"\n'
    tree = "benchmarks/single_node/agentic/lib"
    shown = said(script, None, **{tree: "export PORT=80\n"})
    assert f"    {tree}.sh:1:8: assigned to PORT\n      | export PORT=80\n" in shown


def test_calls_and_loops_are_told() -> None:
    script = 'run() {\n  vllm serve /m --seed "$1"\n}\nfor n in $SEEDS; do\n  run "$n"\ndone\n'
    shown = said(script)
    assert shown.startswith(
        'S:2:3: vllm\n  called at S:5:3: run "$n"\n  in the loop of S:4:1: for n'
    )
    assert "--seed <n takes each word of $SEEDS>" in shown
    assert "read word by word, expanded from $SEEDS\n      | for n in $SEEDS; do" in shown
    assert said(script, 4) and said(script, 5)


FILE = """N=3
cat >c.yaml <<E
a: 1
speculative_config:
  max_draft_len: $N
E
N=5
trtllm-serve /m --config c.yaml
"""


def test_a_file_that_the_launch_names_is_explained() -> None:
    shown = said(FILE)
    assert "  file c.yaml\n    S:2:1: printed by cat\n" in shown
    assert "    S:1:1: assigned to N\n      | N=3\n" in shown and "N=5" not in shown
    assert "file c.yaml" in said(FILE, 4) and "--config" not in said(FILE, 4)


def test_a_script_that_the_script_writes_is_quoted() -> None:
    script = """cat >run.sh <<E
exec vllm serve $M --port 80
E
bash run.sh
"""
    assert said(script).startswith(
        """run.sh:1:1: vllm
  called at S:4:1: bash run.sh
  written at S:1:1: cat >run.sh <<E
  vllm serve
    run.sh:1:6: literal
      | exec vllm serve <M is an input> --port 80
"""
    )


def test_what_both_branches_give_names_both_lines() -> None:
    script = """P=(--tp 4 --dp "$N")
if [ "$DP" = true ]; then
  P=(--tp 4 --dp 1)
fi
vllm serve /m "${P[@]}"
"""
    first = next(line for line in said(script).splitlines() if "element of P" in line)
    assert "on another path on line" in first


def test_it_stays_short() -> None:
    many = "".join(f'if [ "$X{n}" = 1 ]; then A="$A{n}$A"; else A="$A$B"; fi\n' for n in range(12))
    lines = said(f'{many}vllm serve /m --x "$A"\n').splitlines()
    assert len(lines) < 400
    assert max(map(len, lines)) < 600


def test_many_values_of_many_parts_stay_short() -> None:
    parts = "".join(
        f'case "$X{n}" in {" ".join(f"{v}) A{n}=${{B{n}:-{v}$C}} ;;" for v in "abcdefgh")} esac\n'
        for n in range(8)
    )
    words = "".join(f"$A{n}" for n in range(8))
    lines = said(f'{parts}vllm serve /m --x "{words}"\n').splitlines()
    assert len(lines) < 160 and any("and more than" in line for line in lines)


def test_without_branches_nothing_is_missing() -> None:
    tree = MemoryTree({NAME: BRANCH})
    (recipe,) = read_recipe(NAME, tree, POLICY)
    shown = explain(recipe.launches, source_of(tree))
    assert shown.count("\n  --port") == 2 and 'when DP is "true"' in shown
