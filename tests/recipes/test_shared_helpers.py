"""Points of one script share an evaluation, and edits of a library reach its callers only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recipes.trees import MemoryTree
from verifier.diff import compare, diff
from verifier.model.points import LaunchDiff
from verifier.policy import DEFAULT
from verifier.recipes.evaluate import evaluate_points
from verifier.recipes.functions import changed_functions
from verifier.recipes.masters import expand
from verifier.recipes.views import view_of

CONFIG = """\
one:
  image: vllm/vllm-openai:v1
  model: org/DeepSeek-V4-Pro
  model-prefix: dsv4
  runner: b200-dgxc
  precision: fp4
  framework: vllm
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - {tp: 8, conc-list: [1, 2, 8, 16, 64]}
      - {tp: 4, conc-list: [4, 32]}
"""
SCRIPT = "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_vllm.sh"
LIBRARY = "benchmarks/benchmark_lib.sh"
LIB = """\
# helpers
serve() {
  vllm serve "$MODEL" --port "$PORT" "$@" > server.log 2>&1 &
}
unused() { echo one; }
run_eval() { helper; python3 -m lm_eval --tasks "$1"; }
helper() { echo help; }
"""
BODY = """\
source "$(dirname "$0")/../../benchmark_lib.sh"
ARGS=(--tensor-parallel-size "$TP")
if [ "$CONC" -gt 8 ]; then ARGS+=(--max-num-seqs "$((CONC * 2))"); fi
serve "${ARGS[@]}"
run_benchmark_serving --max-concurrency "$CONC" --num-prompts "$((CONC * 10))" \\
  --result-filename "$RESULT_FILENAME"
if [ "${RUN_EVAL}" = "true" ]; then run_eval gsm8k; fi
"""
TREE = MemoryTree({"configs/nvidia-master.yaml": CONFIG, SCRIPT: BODY, LIBRARY: LIB})


def edited(before: str, after: str) -> LaunchDiff:
    assert before in LIB
    return diff(TREE, TREE.plus({LIBRARY: LIB.replace(before, after)}), DEFAULT)


def test_a_function_that_nobody_calls_reaches_no_point() -> None:
    found = edited("echo one", "echo two")
    assert (len(found.changed), found.unchanged, found.touched) == (0, 14, 0)


def test_a_comment_of_a_library_reaches_no_point() -> None:
    assert edited("# helpers", "# more\n\n# helpers").touched == 0


def test_a_function_that_is_called_is_compared() -> None:
    found = edited('--port "$PORT"', '--port "$PORT" --enforce-eager')
    assert len(found.changed) == 14
    assert {c.name for p in found.changed for c in p.changes} == {"--enforce-eager"}


def test_a_function_that_only_evaluations_call() -> None:
    head = TREE.plus({LIBRARY: LIB.replace("-m lm_eval", "-m lm_eval --limit 5")})
    found = compare(TREE, head, DEFAULT)
    assert {change.head.eval_only for change in found.diff.changed} == {True}
    assert (len(found.diff.changed), found.diff.touched) == (7, 7)
    same = [b.id for b, h in found.pairs if found.before.of(b) is found.evaluated.of(h)]
    assert len(same) == 7  # what never calls the function is evaluated on one side


def test_a_helper_of_a_function_counts_for_its_callers() -> None:
    found = edited("echo help", "vllm serve other --port 1")
    assert {change.head.eval_only for change in found.changed} == {True}


def test_what_a_library_does_when_it_is_read_reaches_everything() -> None:
    found = edited("# helpers", "export VLLM_USE_V1=1")
    assert len(found.changed) == 14


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("a() { x; }\nb() { y; }\n", "a() { x; }\nb() { z; }\n", {"b"}),
        ("a() { b; }\nb() { y; }\n", "a() { b; }\nb() { z; }\n", {"a", "b"}),
        ("a() { x; }\n", "# c\n\na() { x; }\n", set()),
        ("a() { x; }\n", "a() { x; }\nb() { y; }\n", {"b"}),
        ("a() { x; }\nb() { y; }\n", "a() { x; }\n", {"b"}),
        ("a() { x; }\nb() { y; }\n", "b() { y; }\na() { x; }\n", set()),
        ("a() { run_$1; }\nrun_b() { y; }\n", "a() { run_$1; }\nrun_b() { z; }\n", {"a", "run_b"}),
        ("a() { x; }\nx\n", "a() { x; }\ny\n", None),
        ("a() { x; }\na\n", "a() { y; }\na\n", None),
        ("a() { x; }\na\nb() { y; }\n", "b() { y; }\na() { x; }\na\n", None),
        ("a() { x; }\n", "a() { echo $LINENO; }\n", None),
        ("a() { x; }\n", "a() { x; \n", None),
    ],
)
def test_which_functions_differ(old: str, new: str, names: set[str] | None) -> None:
    found = changed_functions("lib.sh", old.encode(), new.encode())
    assert found == (None if names is None else frozenset(names))


def _facts(tree: MemoryTree) -> Iterator[tuple[object, ...]]:
    points = expand(tree, DEFAULT).points
    together = evaluate_points(points, tree, DEFAULT)
    for point in points:
        alone = evaluate_points([point], tree, DEFAULT).of(point)
        found = together.of(point)
        assert alone is not None
        assert found is not None
        assert alone.facts is not None
        assert found.facts is not None
        yield view_of(found.facts), view_of(alone.facts), found.facts.unresolved


PIECES = st.sampled_from(
    [
        'X="$CONC"',
        'X="$((CONC * 3 - 1))"',
        'X="${X:-5}"',
        '[ "$CONC" -ge 8 ] && ARGS+=(--a "$X")',
        'if (( CONC == 16 || X > 40 )); then ARGS+=("--b=$CONC"); else X=1; fi',
        'case "$CONC" in 1|2) ARGS+=(--small) ;; 64) ARGS+=(--large $CONC) ;; esac',
        'for i in $(seq 1 "$CONC"); do LAST="$i"; done; ARGS+=(--last "$LAST")',
        'ARGS+=(--name "${RESULT_FILENAME}.json" --len "${#CONC}")',
        'ARGS+=(--digits "${CONC%?}" --sum $((X + CONC / 2)))',
        'if [ "$CONC" -gt 32 ]; then echo no; exit 1; fi',
        'printf -v Q "%q" "$CONC"; ARGS+=(--q "$Q")',
        "IFS=1; ARGS+=($CONC); unset IFS",
        'echo "{\\"n\\": $CONC}" > c.json; ARGS+=(--config c.json)',
        'export N="$CONC"',
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=6))
def test_points_that_share_an_evaluation_come_out_as_alone(pieces: list[str]) -> None:
    body = "\n".join(["ARGS=()", *pieces, 'vllm serve m "${ARGS[@]}" &', "run_eval x"])
    tree = TREE.plus({SCRIPT: body})
    for shared, alone, _ in _facts(tree):
        assert shared == alone
