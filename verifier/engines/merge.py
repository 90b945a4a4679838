"""One launch from the readings of an argument vector that can be several.

Where all readings agree the value is known; where they differ it is unknown, and the reason
names what it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from verifier.engines.compare import canonical
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Launch, Setting, Speculation, Value
from verifier.model.record import replace
from verifier.model.text import Hole, Text, hole


def merge(launches: Sequence[Launch]) -> Launch:
    """The launch that holds for every reading."""
    first = launches[0]
    if len(launches) == 1:
        return first
    notes = list(dict.fromkeys(note for launch in launches for note in launch.unresolved))
    assumptions = dict.fromkeys(note for launch in launches for note in launch.assumptions)
    speculations = [launch.speculation for launch in launches]
    others = [s for launch in launches for s in launch.other_speculations]
    if any(canonical(s) != canonical(speculations[0]) for s in speculations):
        others.extend(s for s in speculations if s is not None and s not in others)
    if any(launch.refused != first.refused for launch in launches):
        refusal = next(launch for launch in launches if launch.refused is not None)
        notes.append(
            Note(
                span=refusal.refused_span or refusal.span,
                text=f"with some values of its arguments the server does not start: "
                f"{refusal.refused}",
            )
        )
    refused = first.refused if all(launch.refused for launch in launches) else None
    return replace(
        first,
        model=_text([launch.model for launch in launches]),
        served_model_name=_text([launch.served_model_name for launch in launches]),
        role=first.role if all(launch.role == first.role for launch in launches) else None,
        speculation=_speculation(speculations, first),
        other_speculations=tuple(others),
        speculative_settings=_values([launch.speculative_settings for launch in launches]),
        settings=_settings([launch.settings for launch in launches]),
        parallelism=_settings([launch.parallelism for launch in launches]),
        precision=_settings([launch.precision for launch in launches]),
        kernels=_settings([launch.kernels for launch in launches]),
        architecture=tuple(_distinct(s for launch in launches for s in launch.architecture)),
        refused=refused,
        refused_span=first.refused_span if refused else None,
        assumptions=tuple(assumptions),
        unresolved=tuple(notes),
    )


_WHY = "it differs between the values its arguments can have"


def _text(texts: Sequence[Text | None]) -> Text | None:
    """The text that all agree on; a hole that lists them when they are known and differ."""
    if all(canonical(text) == canonical(texts[0]) for text in texts):
        return texts[0]
    known = tuple({text.known: None for text in texts if text is not None and text.known})
    choices = known if len(known) > 1 and all(t is not None and t.known for t in texts) else None
    return Text((Hole(_WHY, "either:model", choices=choices),))


def _distinct(settings: Iterable[Setting]) -> list[Setting]:
    out: list[Setting] = []
    for setting in settings:
        if setting not in out:
            out.append(setting)
    return out


def _settings(maps: Sequence[Mapping[str, Setting]]) -> dict[str, Setting]:
    out: dict[str, Setting] = {}
    for key in {key: None for each in maps for key in each}:
        given = [each.get(key) for each in maps]
        present = next(setting for setting in given if setting is not None)
        values = [None if s is None else canonical(s.value) for s in given]
        if all(value == values[0] for value in values):
            out[key] = present
        else:
            out[key] = replace(present, value=hole(_WHY, f"either:{key}"))
    return out


def _values(maps: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    out: dict[str, Value] = {}
    for key in {key: None for each in maps for key in each}:
        given = [canonical(each.get(key)) for each in maps]
        if all(value == given[0] for value in given):
            out[key] = next(each[key] for each in maps if key in each)
        else:
            out[key] = hole(_WHY, f"either:{key}")
    return out


def _speculation(readings: Sequence[Speculation | None], launch: Launch) -> Speculation | None:
    if all(canonical(reading) == canonical(readings[0]) for reading in readings):
        return readings[0]
    given = [reading for reading in readings if reading is not None]
    first = given[0]
    note = Note(span=first.span or launch.span, text=f"speculation: {_WHY}")
    if len(given) < len(readings):
        return replace(
            first,
            method=None,
            draft_length=None,
            draft_model=_text([None if each is None else each.draft_model for each in readings]),
            draft_sample_method="unknown",
            block_verification=None,
            acceptance=Acceptance(kind="unknown", unknown=_WHY, span=first.span),
            copies_context=None if any(r.copies_context is not False for r in given) else False,
            unknown=(note,),
        )

    def same(name: str) -> bool:
        return all(canonical(getattr(r, name)) == canonical(getattr(first, name)) for r in given)

    return replace(
        first,
        method=first.method if same("method") else None,
        draft_length=first.draft_length if same("draft_length") else None,
        draft_model=_text([reading.draft_model for reading in given]),
        draft_sample_method=first.draft_sample_method if same("draft_sample_method") else "unknown",
        block_verification=first.block_verification if same("block_verification") else None,
        acceptance=first.acceptance
        if same("acceptance")
        else Acceptance(kind="unknown", unknown=_WHY, span=first.span),
        copies_context=first.copies_context if same("copies_context") else None,
        unknown=(*first.unknown, note),
        loose=any(reading.loose for reading in given),
    )
