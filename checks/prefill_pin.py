"""Prefill workers beside decode workers: the generation role decides draft length and pin.

What a prefill worker drafts is not what is measured, so its own length needs no golden value
(SemiAnalysisAI/InferenceX takes the value of the decode role for every role). Both workers hand
over the draft's state, so they must draft by the same method.
"""

from __future__ import annotations

from collections.abc import Iterator

from checks.support import passed, shown
from verifier.model.condition import Condition
from verifier.model.context import RecipeFacts
from verifier.model.finding import Finding, Related, Status
from verifier.model.launch import Launch


def generation_of(launch: Launch, recipe: RecipeFacts) -> tuple[Launch, ...]:
    """The drafting decode workers beside a prefill worker; empty for any other launch."""
    if launch.role != "prefill":
        return ()
    return tuple(one for one in recipe.launches if one.role == "decode" and one.speculation)


def judge(launch: Launch, generation: tuple[Launch, ...], when: Condition) -> Iterator[Finding]:
    """Compare a prefill worker with the decode workers, which are judged by themselves."""
    mine = launch.speculation
    assert mine is not None
    for other in generation:
        theirs = other.speculation
        assert theirs is not None
        if None not in (mine.method, theirs.method) and mine.method != theirs.method:
            yield _disagrees(
                launch,
                other,
                when,
                f"the prefill worker drafts with {mine.method} and the decode worker with "
                f"{theirs.method}; whether the engine can hand over between them is not known",
            )
            return
    pins = {one.speculation.acceptance.length for one in generation if one.speculation}
    acceptance = mine.acceptance
    if acceptance.kind == "synthetic" and acceptance.length is not None and None not in pins:
        written = {one.speculation.acceptance.written for one in generation if one.speculation}
        if acceptance.length not in pins and acceptance.written not in written:
            values = " or ".join(sorted(str(pin) for pin in pins))
            yield _disagrees(
                launch,
                generation[0],
                when,
                f"the prefill worker pins {acceptance.written or acceptance.length} and the "
                f"decode worker {values}",
            )
            return
    yield passed(
        "pinned_by_decode",
        "the decode worker defines draft length and pin, not this prefill worker",
        launch.span,
        shown(when),
    )


def _disagrees(launch: Launch, other: Launch, when: Condition, message: str) -> Finding:
    assert launch.speculation is not None and other.speculation is not None
    place = other.speculation.acceptance.span or other.speculation.span or other.span
    return Finding(
        status=Status.UNRESOLVED,
        code="prefill_disagrees",
        message=message,
        span=launch.speculation.acceptance.span or launch.speculation.span or launch.span,
        hint="give both workers the same method, and the value of the decode worker",
        when=shown(when),
        related=(Related(span=place, text="the decode worker's setting"),),
    )
