"""`verify golden`, `verify checks` and `verify policy`."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING

from verifier.cli_arguments import UsageError
from verifier.cli_output import PASSED, UNDECIDED, InputError, deliver, formats, look
from verifier.policy import PolicyError
from verifier.reports.escape import terminal
from verifier.workspace import PathError, Workspace, open_workspace

if TYPE_CHECKING:
    from verifier.golden import Curve, Golden
    from verifier.model.finding import CheckMeta
    from verifier.reports.conditions import Json

MODES = ("thinking_on", "thinking_off")


def golden(options: Namespace) -> int:
    """List curves, show one, or look a value up."""
    chosen = formats(options, "text", "json")
    space = _space(options)
    match options.action, options.names:
        case "list", []:
            return _list(space.golden, chosen, options)
        case "show", [name]:
            return _show(space.golden, name.removesuffix(".yaml"), chosen, options)
        case "lookup", [prefix, method, length]:
            return _lookup(space, (prefix, method, length), chosen, options)
        case action, _:
            takes = {"list": "no name", "show": "one CURVE", "lookup": "PREFIX METHOD N"}
            raise UsageError(f"golden {action} takes {takes[action]}")


def _space(options: Namespace) -> Workspace:
    try:
        return open_workspace([], options.root, options.policy)
    except (PathError, PolicyError) as error:
        raise InputError(str(error)) from None


def _curve(curves: Golden, name: str) -> Curve:
    from verifier.golden import GoldenError

    if name not in curves.names:
        known = ", ".join(curves.names) or "none"
        raise InputError(f"there is no curve {name!r} in {curves.folder} (known: {known})")
    try:
        return curves.curve(name)
    except GoldenError as error:
        raise InputError(str(error), UNDECIDED) from None


def _list(curves: Golden, chosen: str, options: Namespace) -> int:
    found = [_curve(curves, name) for name in curves.names]
    if chosen == "json":
        deliver(_document({"curves": [_curve_json(curve) for curve in found]}), options)
        return PASSED
    width = min(max((len(curve.name) for curve in found), default=0), 24)
    lines = [
        f"{curve.name:<{width}}  {terminal(curve.model)}  {', '.join(curve.modes)}"
        for curve in found
    ]
    deliver("".join(f"{line}\n" for line in lines), options)
    return PASSED


def _show(curves: Golden, name: str, chosen: str, options: Namespace) -> int:
    curve = _curve(curves, name)
    if chosen == "json":
        deliver(_document(_curve_json(curve)), options)
        return PASSED
    lengths = sorted({length for cells in curve.modes.values() for length in cells})
    lines = [
        f"{curve.path}  {terminal(curve.model)}",
        f"{'draft tokens':<14}" + "".join(f"{length:>6}" for length in lengths),
    ]
    for mode, cells in curve.modes.items():
        values = (f"{cells[k].value:>6}" if k in cells else f"{'-':>6}" for k in lengths)
        lines.append(f"{mode:<14}" + "".join(values))
    deliver("\n".join(lines) + "\n", options)
    return PASSED


def _lookup(space: Workspace, names: tuple[str, str, str], chosen: str, options: Namespace) -> int:
    prefix, method, written = names
    if not (written.isascii() and written.isdigit() and int(written) > 0):
        raise UsageError(f"golden lookup: {written!r} is not a number of draft tokens")
    thinking = options.thinking or space.policy.default_thinking
    choice = space.golden.choose(
        prefix,
        method,
        int(written),
        thinking,
        draft_model=options.draft_model,
        draft_sample_method=options.draft_sample_method,
    )
    found = choice.cell is not None
    if chosen == "json":
        deliver(
            _document(
                {
                    "value": None if choice.value is None else str(choice.value),
                    "curve": choice.curve.name if choice.curve else None,
                    "mode": choice.mode or None,
                    "draft_length": int(written),
                    "path": choice.cell.span.path if choice.cell else None,
                    "line": choice.cell.span.line if choice.cell else None,
                    "code": choice.code,
                    "problem": choice.problem,
                    "candidates": list(choice.candidates),
                    "note": choice.note,
                }
            ),
            options,
        )
    elif choice.cell is not None and choice.curve is not None:
        note = f"\nnote: {choice.note}" if choice.note else ""
        place = f"{choice.cell.span.path}:{choice.cell.span.line}"
        deliver(
            f"{choice.cell.value}  ({choice.curve.name}, {choice.mode}, "
            f"{written} draft tokens; {place}){note}\n",
            options,
        )
    if not found:
        # As a message only: a script that reads the value must not find a sentence instead.
        raise InputError(f"no golden value: {choice.problem}", UNDECIDED)
    return PASSED


def _curve_json(curve: Curve) -> dict[str, Json]:
    return {
        "name": curve.name,
        "path": curve.path,
        "model": curve.model,
        "modes": {
            mode: {str(length): str(cell.value) for length, cell in cells.items()}
            for mode, cells in curve.modes.items()
        },
    }


def checks(options: Namespace) -> int:
    """The catalogue, or one check."""
    from checks import catalogue

    chosen = formats(options, "text", "json")
    everything = catalogue()
    if options.slug is not None:
        everything = tuple(
            meta for meta in everything if options.slug in (meta.slug, str(meta.number))
        )
        if not everything:
            known = ", ".join(f"{meta.number} {meta.slug}" for meta in catalogue())
            raise InputError(f"there is no check {options.slug!r} (known: {known})")
    if chosen == "json":
        deliver(_document({"checks": [_check_json(meta) for meta in everything]}), options)
    elif options.slug is not None:
        deliver(_check_page(everything[0], options), options)
    else:
        width = max(len(meta.slug) for meta in everything) if everything else 0
        lines = (f"{m.number:>2}  {m.slug:<{width}}  {m.summary}" for m in everything)
        deliver("".join(f"{line}\n" for line in lines), options)
    return PASSED


def _check_json(meta: CheckMeta) -> dict[str, Json]:
    return {
        "number": meta.number,
        "slug": meta.slug,
        "name": meta.name,
        "summary": meta.summary,
        "rationale": meta.rationale,
        "links": list(meta.links),
    }


def _check_page(meta: CheckMeta, options: Namespace) -> str:
    from verifier.reports.text import wrapped

    style, width = look(options)
    lines = [style.bold(f"Check {meta.number}: {meta.name} ({meta.slug})"), ""]
    lines.extend(wrapped(meta.summary, width, ""))
    lines.append("")
    lines.extend(wrapped(f"Why: {meta.rationale}", width, ""))
    lines.extend(f"See: {link}" for link in meta.links)
    return "\n".join(lines) + "\n"


def policy(options: Namespace) -> int:
    """The effective policy, each value with the place that set it."""
    chosen = formats(options, "text", "json")
    rows = _space(options).policy.effective()
    if chosen == "json":
        shown: Json = {key: {"value": plain(value), "source": where} for key, value, where in rows}
        deliver(_document({"policy": shown}), options)
        return PASSED
    lines = (
        f"{key}: {terminal(json.dumps(plain(value), ensure_ascii=False))}"
        + ("" if where == "default" else f"  # {terminal(where)}")
        for key, value, where in rows
    )
    head = "# a value that names no file and line is the default"
    deliver("".join(f"{line}\n" for line in (head, *lines)), options)
    return PASSED


def plain(value: object) -> Json:
    """A policy value as JSON."""
    from collections.abc import Mapping

    from verifier.model.record import fields, is_dataclass

    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return str(value)


def _document(body: dict[str, Json]) -> str:
    return json.dumps({"schema": 1, **body}, indent=2) + "\n"
