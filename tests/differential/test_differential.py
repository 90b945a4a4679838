"""Generated scripts and past failures, in real bash and in the evaluator.

`HYPOTHESIS_PROFILE=nightly` runs tens of thousands of scripts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.differential import rewriting
from tests.differential.branching import recipe
from tests.differential.compare import claims, compare, may_stop
from tests.differential.real import Bash
from tests.differential.scripts import SCALARS, ansi, double, escaped, scripts, single
from tests.differential.worlds import contradiction, worlds
from tests.shell.real import needs_bash
from verifier.model.command import Evaluation
from verifier.model.text import Lit, Text

# The strategies' texts are long, and hypothesis says so.
pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")

HERE = Path(__file__).parent
NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
generated = settings(
    max_examples=30_000 if NIGHTLY else 150,
    derandomize=not NIGHTLY,
    deadline=None,
    database=None,
    # Shrinking a script runs bash for minutes; `python -m tests.differential --keep` is quicker.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def bash() -> Iterator[Bash]:
    shell = Bash()
    yield shell
    shell.close()


def problem(bash: Bash, script: str) -> str | None:
    """How bash contradicts what the evaluator claims."""
    actual = bash.run(script, {})
    if actual is None:
        return None
    claimed = claims(script, bash.environment({}), closed=True)
    stops = may_stop(script, claimed, surprised=bash.surprised)
    return compare(claimed, actual, may_stop=stops).wrong


@needs_bash
@pytest.mark.parametrize("path", sorted((HERE / "regressions").glob("*.sh")), ids=lambda p: p.stem)
def test_past_failures(path: Path, bash: Bash) -> None:
    assert problem(bash, path.read_text(encoding="utf-8")) is None


@needs_bash
@pytest.mark.parametrize("path", sorted((HERE / "inputs").glob("*.sh")), ids=lambda p: p.stem)
def test_unknown_inputs(path: Path, bash: Bash) -> None:
    script = path.read_text(encoding="utf-8")
    evaluation = claims(script, bash.environment({}), closed=False)
    assert not evaluation.unresolved
    for env in worlds(script):
        actual = bash.run(script, env)
        assert actual is not None
        may_stop = "set -" in script
        assert contradiction(evaluation, env, actual, may_stop=may_stop) is None


@needs_bash
@pytest.mark.parametrize("first", range(0, 3_000 if NIGHTLY else 40, 10))
def test_branches_on_inputs(first: int, bash: Bash) -> None:
    for seed in range(first, first + 10):
        script = recipe(seed)
        evaluation = claims(script, bash.environment({}), closed=False)
        may_stop = "set -" in script or ("exit" in script and asks_of_programs(evaluation))
        for env in worlds(script):
            actual = bash.run(script, env)
            assert actual is not None, seed
            wrong = contradiction(evaluation, env, actual, may_stop=may_stop)
            assert wrong is None, (seed, wrong)


def asks_of_programs(evaluation: Evaluation) -> bool:
    """Whether anything but an input is unknown: whether the script stops there is not told."""
    words = [word for command in evaluation.commands for word in command.argv]
    return any(hole.input is None for word in words for hole in word.text.holes)


@needs_bash
@generated
@given(script=scripts)
def test_generated_scripts(script: str, bash: Bash) -> None:
    assert problem(bash, script) is None


laws = settings(generated, max_examples=2_000 if NIGHTLY else 40)


def told(script: str) -> list[tuple[object, ...]]:
    """What the evaluator says without the places."""
    evaluation = claims(script, {}, closed=True)
    return [
        (*((shape(w.text), w.splits) for w in c.argv), c.when.always) for c in evaluation.commands
    ]


def shape(text: Text) -> str:
    """The text with the same sign for every hole: the reasons tell names and lines."""
    return "".join(p.value if isinstance(p, Lit) else "\N{BLACK SQUARE}" for p in text.pieces)


def unchanged(script: str, changed: str) -> bool:
    return told(script) == told(changed)


@laws
@given(scripts)
def test_comments_change_nothing(script: str) -> None:
    assert unchanged(script, rewriting.commented(script))


@laws
@given(scripts)
def test_continued_lines_change_nothing(script: str) -> None:
    assert unchanged(script, rewriting.continued(script))


@laws
@given(scripts, st.sampled_from([double, ansi, escaped, single]))
def test_equivalent_quotes_change_nothing(script: str, quote: Callable[[str], str]) -> None:
    assert unchanged(script, rewriting.requoted(script, quote))


@laws
@given(scripts)
def test_names_change_nothing(script: str) -> None:
    renamed = script
    for name in SCALARS[2:]:
        renamed = renamed.replace(name, f"w{name[1]}")
    if "${!v@}" in script or "lib" in script:
        return
    assert told(renamed) == told(script)


@laws
@given(
    st.text(max_size=60)
    | st.binary(max_size=60).map(lambda b: b.decode("utf-8", "surrogateescape"))
)
def test_no_text_raises(script: str) -> None:
    claims(script, {}, closed=True)
    claims(script, {}, closed=False)
