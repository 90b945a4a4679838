"""A command whose name depends on the path is each of the commands that it can be."""

from __future__ import annotations

import pytest

from tests.differential.compare import claims
from tests.differential.real import Bash
from tests.differential.worlds import contradiction, worlds
from tests.recipes.trees import MemoryTree
from tests.shell.real import needs_bash
from verifier.facts import read_recipe
from verifier.policy import Policy
from verifier.shell import evaluate

LAUNCHES = {
    "an empty list in front": 'A=(); [ -n "$L" ] && A=(env H=1); "${A[@]}" vllm serve m',
    "a wrapper in a variable": '[ "$N" = 1 ] && W="numactl -N 0" || W=; $W vllm serve m',
    "a profiler in a variable": 'P=; [ "$A" = 1 ] && P="nsys profile"; $P vllm serve m',
    "a list that grows at its front": (
        'C=(vllm serve m); [ "$A" = 1 ] && C=(numactl -N0 "${C[@]}"); "${C[@]}"'
    ),
    "options of a wrapper": 'O=(); [ "$A" = 1 ] && O=(-N 0); numactl "${O[@]}" vllm serve m',
    "a program with a default": "${LAUNCH:-vllm} serve m",
    "a wrapper that is an input": "$NUMA vllm serve m",
    "a quoted wrapper": '"$NUMA" vllm serve m',
    "a wrapper with a default": "PREFIX=${PREFIX:-}; $PREFIX vllm serve m",
    "a duration": "timeout ${T:-600} vllm serve m",
    "options of the interpreter": "python3 $F -m vllm.entrypoints.openai.api_server --model m",
    "an evaluated text": 'eval "$PRE vllm serve m"',
    "a shell's text": 'bash -c "$PRE vllm serve m"',
}


@pytest.mark.parametrize("script", LAUNCHES.values(), ids=LAUNCHES)
def test_the_launch_is_seen(script: str) -> None:
    tree = MemoryTree({"a.sh": script + "\n"})
    (facts,) = read_recipe("a.sh", tree, Policy())
    models = [launch.command.argv for launch in facts.launches]
    assert models
    when = [a for launch in facts.launches for a in launch.command.when.alternatives]
    assert frozenset() in when or len(when) > 1 or "LAUNCH" in script


BRANCHES = {
    "functions": (
        '# inputs: X=UNSET|1\nf() { rec f "$@"; }\ng() { rec g "$@"; }\n'
        'if [ "$X" = 1 ]; then F=f; else F=g; fi\n$F 5\nrec end\n'
    ),
    "a function that sets": (
        "# inputs: X=UNSET|f\nf() { V=1; }\nV=0\nC=rec\n"
        'case $X in f) C=$X;; esac\n"$C" a\nrec "$V"\n'
    ),
    "a builtin that ends the script": (
        '# inputs: X=UNSET|1\nC=rec\n[ "$X" = 1 ] && C=exit\n$C 0\nrec after\n'
    ),
    "a builtin that unsets": (
        '# inputs: X=UNSET|1\nV=1\nC=rec\n[ "$X" = 1 ] && C=unset\n$C V\nrec "${V-u}"\n'
    ),
    "no word at all": '# inputs: X=UNSET|1\nC=\n[ "$X" = 1 ] && C=rec\n$C\nrec $?\n',
    "a temporary variable": (
        '# inputs: X=UNSET|1\nf() { rec "f$V"; }\nC=rec\n[ "$X" = 1 ] && C=f\nV=2 $C a\nrec "[$V]"\n'
    ),
}


@needs_bash
@pytest.mark.parametrize("script", BRANCHES.values(), ids=BRANCHES)
def test_each_command_is_run(script: str) -> None:
    bash = Bash()
    try:
        found = claims(script, bash.environment({}), closed=False)
        for world in worlds(script):
            actual = bash.run(script, world)
            assert actual is not None
            assert contradiction(found, world, actual, may_stop=False) is None
    finally:
        bash.close()


@pytest.mark.parametrize("script", ['"$PROGRAM" --port 1', "$PROGRAM m", '"${LIST[@]}"'])
def test_a_program_that_is_not_known_may_hide_a_launch(script: str) -> None:
    found = evaluate("a.sh", MemoryTree({"a.sh": script + "\n"}))
    assert any("which program" in note.text for note in found.unresolved)
