"""`verify strip`: a script or recipe without forced acceptance, and no other byte changed.

Text is edited by spelling and then proved: the stripped text is read again, every launch in it
must verify for real and be equal in everything else. What fails that proof is refused with
the line that sets the acceptance. Comments are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from verifier.engines.compare import canonical
from verifier.engines.strip_edits import Edit, edits
from verifier.model.launch import Launch

Relaunch = Callable[[str], Sequence[Launch]]
"""The launches of the file when its text is this one."""

_ACCEPTANCE = frozenset(
    {
        "rejection_sample_method",
        "synthetic_acceptance_length",
        "synthetic_acceptance_rates",
        "synthetic_acceptance_rate",
        "spec_decode_acceptance_length",
        "spec_decode_acceptance_rate",
    }
)


class CannotStrip(Exception):
    """The acceptance cannot be taken out safely. `line` is 1-based, in the file to strip."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def strip(path: str, text: str, launches: Sequence[Launch], relaunch: Relaunch) -> str:
    """The text without forced acceptance, wherever it is set.

    `launches` are those of the text, `relaunch` reads a changed text. Raises `CannotStrip`.
    """
    forced = [launch for launch in launches if _forced(launch)]
    stripped = _apply(text, edits(path, text))
    if stripped == text:
        if not forced:
            return text
        raise _refusal(path, forced, "the forced acceptance is not spelled in this file")
    problem = _problem(launches, relaunch(stripped))
    if problem is not None:
        raise _refusal(path, forced or launches, problem)
    return stripped


def _apply(text: str, changes: Iterable[Edit]) -> str:
    out: list[str] = []
    at = 0
    for edit in changes:
        if edit.start < at:
            continue
        out.append(text[at : edit.start])
        out.append(edit.text)
        at = edit.end
    out.append(text[at:])
    return "".join(out)


def _forced(launch: Launch) -> bool:
    return launch.speculation is not None and launch.speculation.acceptance.kind != "real"


def _problem(before: Sequence[Launch], after: Sequence[Launch]) -> str | None:
    """Why the stripped text is not the same without forced acceptance."""
    if any(_forced(launch) for launch in after):
        return "without what is spelled here the acceptance is still forced, or not known"
    if any(launch.refused for launch in after) and not any(launch.refused for launch in before):
        return "the server would not start"
    old = list({_rest(launch): None for launch in before})
    new = list({_rest(launch): None for launch in after})
    same = all(any(_alike(one, two) for two in new) for one in old) and all(
        any(_alike(one, two) for two in old) for one in new
    )
    return None if same else "more than the acceptance would change"


def _alike(one: object, two: object) -> bool:
    """Whether two canonical values may be equal: an unknown part may be anything.

    Unknown parts are named after lines and branches, which move when text is taken out.
    """
    if one == two:
        return True
    if _unknown(one) or _unknown(two):
        return True
    if isinstance(one, frozenset) and isinstance(two, frozenset):
        left, right = dict(one), dict(two)
        return all(_alike(left.get(key), right.get(key)) for key in left.keys() | right.keys())
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_alike, one, two))
    return False


def _unknown(value: object) -> bool:
    """A canonical text with a hole in it."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and value[0] == "text"
        and isinstance(value[1], tuple)
        and any(isinstance(part, tuple) for part in value[1])
    )


def _rest(launch: Launch) -> object:
    """All of a launch that stripping must not change. Conditions may merge and are left out."""
    speculation = launch.speculation
    return (
        launch.engine,
        launch.entry,
        launch.role,
        canonical(launch.model),
        canonical({k: v for k, v in launch.speculative_settings.items() if k not in _ACCEPTANCE}),
        canonical({key: setting.value for key, setting in launch.settings.items()}),
        speculation
        and (
            speculation.method,
            speculation.draft_length,
            canonical(speculation.draft_model),
            speculation.draft_sample_method,
            speculation.copies_context,
        ),
        canonical({k: v for k, v in launch.command.env.items() if not VARIABLE.fullmatch(k)}),
    )


VARIABLE = re.compile(
    r"SGLANG_SIMULATE_ACC_\w+|SGLANG_DSPARK_SIMULATE_FOLD|TILERT_SIMULATE_ACC_\w+"
    r"|TLLM_\w*FORCE_NUM_ACCEPTED_TOKENS"
)


def _refusal(path: str, launches: Sequence[Launch], problem: str) -> CannotStrip:
    """The place that sets the acceptance, for a person to edit."""
    for launch in launches:
        speculation = launch.speculation
        span = speculation.acceptance.span if speculation is not None else None
        if span is not None:
            here = span.path == path
            elsewhere = "" if here else f" (it is set in {span})"
            return CannotStrip(span.line if here else launch.span.line, f"{problem}{elsewhere}")
    return CannotStrip(1, problem)
