"""Acceptance that a job's launcher pins: the recipe itself says nothing of it.

Facts: SemiAnalysisAI/InferenceX `runners/inject_synthetic_acceptance.py` and its back ends. A
setting of the search-space row switches the edit on, another one names the length, and jobs that
only evaluate run the recipe as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from verifier.model.context import RecipeFacts
from verifier.model.launch import Acceptance, Launch
from verifier.model.points import Point
from verifier.model.record import NamedTuple, replace
from verifier.model.text import Span
from verifier.model.tree import Unreadable

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.policy import Policy
    from verifier.policy_points import PinInjector
    from verifier.recipes.watching import WatchedTree


class Pin(NamedTuple):
    """What a launcher makes of a recipe's acceptance."""

    spelling: str
    written: str | None
    """The length as the config writes it; None when it is not known."""
    problem: str | None
    """Why it is not known."""
    span: Span


def pin_of(point: Point, tree: WatchedTree, policy: Policy) -> Pin | None:
    """The pin of a throughput point, or None when nothing but the recipe decides."""
    if point.eval_only:
        return None
    for injector in policy.point.pin_injectors:
        if not any(fnmatchcase(point.config.framework, p) for p in injector.frameworks):
            continue
        if not _switched(injector, point.env):
            continue
        texts = [text for path in point.launchers if (text := tree.text(path))]
        proven = [injector.proof in text for text in texts]
        if proven and not any(proven):
            continue
        if not texts or not all(proven):
            problem = (
                f"{_switch(injector)} asks the launcher to pin acceptance, and not every launcher "
                "that may start the job is known to do so"
            )
            return Pin(injector.length, None, problem, point.span)
        return _pin(injector, point.env.get(injector.length, ""), point.span)
    return None


def _switch(injector: PinInjector) -> str:
    return f"{injector.switch}=true"


def _switched(injector: PinInjector, env: Mapping[str, str]) -> bool:
    return env.get(injector.switch, "").strip().lower() == "true"


def _pin(injector: PinInjector, written: str, span: Span) -> Pin:
    written = written.strip()
    if written:
        return Pin(injector.length, written, None, span)
    problem = f"{_switch(injector)} makes the launcher pin a length that it chooses itself"
    return Pin(injector.length, None, problem, span)


def pinned(facts: RecipeFacts, pin: Pin | None) -> RecipeFacts:
    """The facts with the launcher's pin in place of real acceptance."""
    if pin is None:
        return facts
    return replace(facts, launches=tuple(_pinned(launch, pin) for launch in facts.launches))


def _pinned(launch: Launch, pin: Pin) -> Launch:
    speculation = launch.speculation
    if speculation is None:
        return launch
    return replace(launch, speculation=replace(speculation, acceptance=_acceptance(pin)))


def _acceptance(pin: Pin) -> Acceptance:
    length, problem = None, pin.problem
    if pin.written is not None:
        try:
            length = Decimal(pin.written)
        except InvalidOperation:
            problem = f"{pin.spelling} is {pin.written!r}, which is not a number"
    return Acceptance(
        kind="unknown" if length is None else "synthetic",
        length=length,
        spelling=pin.spelling,
        written=pin.written,
        unknown=problem,
        span=pin.span,
    )


def pin_of_file(path: str, tree: Tree, policy: Policy) -> Pin | None:
    """For a recipe that is judged by itself: the pin of the config rows that name it."""
    found: dict[str | None, Pin] = {}
    for injector in policy.point.pin_injectors:
        for config in policy.paths.master_configs:
            place = policy.place(config)
            for line, settings in _settings(path, place, tree, policy):
                if _switched(injector, settings):
                    pin = _pin(injector, settings.get(injector.length, ""), Span(place, line))
                    found.setdefault(pin.written, pin)
                else:
                    found.setdefault("", Pin(injector.length, None, None, Span(place, line)))
    real = found.pop("", None)
    if not found:
        return None
    first = next(iter(found.values()))
    if len(found) == 1 and real is None:
        return first
    problem = "rows of the master configs make the launcher pin it differently; judge the points"
    return first._replace(written=None, problem=problem)


def _settings(
    path: str, config: str, tree: Tree, policy: Policy
) -> Iterator[tuple[int, dict[str, str]]]:
    """The additional settings beside each mention of a recipe, and the mention's line."""
    names = [path] + [
        before + path[len(place) :]
        for before, after in policy.point.recipe_places
        if after and path.startswith(place := policy.place(after))
    ]
    try:
        data = tree.read(config) or b""
    except Unreadable:
        return
    wanted = [f"{policy.point.recipe_setting}={name}" for name in names]
    if not any(name.encode() in data for name in wanted):
        return
    lines = data.decode("utf-8", "replace").splitlines()
    for index, line in enumerate(lines):
        if any(_names(line, name) for name in wanted):
            yield index + 1, dict(_around(lines, index))


def _names(line: str, setting: str) -> bool:
    _, found, rest = line.partition(setting)
    return bool(found) and (not rest or rest[0] in "\"': ,]")


def _around(lines: list[str], index: int) -> Iterator[tuple[str, str]]:
    """Items of the same list; comments between them do not end it."""
    for step in (-1, 1):
        at = index
        while 0 <= at < len(lines) and lines[at].lstrip().startswith(("- ", "#")):
            name, equals, value = lines[at].strip().removeprefix("- ").strip("\"'").partition("=")
            if equals:
                yield name, value
            at += step
