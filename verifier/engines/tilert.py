"""TileRT's decode server.

Source: SemiAnalysisAI/InferenceX `benchmarks/multi_node/tilert_utils/run_node.sh` @843c6254; the
engine's own source is not public, so its defaults and ranges are unconfirmed. The prefill server
beside it is a plain `vllm serve` with a draft length of its own.
"""

from __future__ import annotations

from verifier.engines.assemble import Found
from verifier.engines.context import Context
from verifier.engines.layout import TILERT
from verifier.engines.numbers import python_float
from verifier.engines.options import Reader, setting_of
from verifier.engines.pieces import hole_name, reason
from verifier.engines.tables import table
from verifier.engines.vllm_speculation import show
from verifier.model.command import Note
from verifier.model.launch import Acceptance, Setting, Speculation
from verifier.model.text import Span, Text, lit

LENGTH = "TILERT_SIMULATE_ACC_LEN"
_SPECULATIVE = ("with_mtp", "num_mtp")


def read(context: Context) -> Found:
    """What TileRT would do with these arguments, as far as its recipes show."""
    parsed = Reader(table("tilert"), context.log).read(context.arguments)
    settings = {g.option.dest: setting_of(g, context.log, "TileRT") for g in parsed.given}
    weights = settings.get("model_weights_dir")
    model = settings.get("model") or weights
    return Found(
        layout=TILERT,
        model=None if model is None else _text(model),
        role="decode",
        speculation=_speculation(settings, context),
        speculative_settings={d: settings[d].value for d in _SPECULATIVE if d in settings},
        settings={d: s for d, s in settings.items() if d not in _SPECULATIVE},
        env=context.around.env,
    )


def _text(setting: Setting) -> Text:
    return setting.value if isinstance(setting.value, Text) else lit(show(setting.value))


def _speculation(settings: dict[str, Setting], context: Context) -> Speculation | None:
    given = settings.get("with_mtp")
    if given is None:
        return None
    unknown: list[Note] = []
    length = _length(settings, unknown, context)
    return Speculation(
        method="mtp",
        method_written="--with-mtp",
        draft_length=length,
        acceptance=_acceptance(context, length, given.span),
        copies_context=False,
        unknown=tuple(unknown),
        span=given.span,
    )


def _length(settings: dict[str, Setting], unknown: list[Note], context: Context) -> int | None:
    given = settings.get("num_mtp")
    value = None if given is None else given.value
    if isinstance(value, int):
        return value
    if isinstance(value, Text):
        why = f"--num-mtp is {hole_name(value)}: {reason(value)}"
    else:
        why = "--num-mtp is missing and TileRT's default is not public"
    span = given.span if given is not None else None
    unknown.append(Note(span=span or context.log.span, text=why))
    return None


def _acceptance(context: Context, length: int | None, span: Span | None) -> Acceptance:
    text = context.around.env.get(LENGTH)
    if text is None:
        return Acceptance(kind="real", span=span)
    span = text.span or span
    if text.known is None:
        return Acceptance(
            kind="unknown",
            spelling=LENGTH,
            written=text.display(),
            unknown=f"{LENGTH} is {hole_name(text)}: {reason(text)}",
            span=span,
        )
    number = python_float(text.known)
    if number is None or not number.is_finite() or number < 1:
        return Acceptance(
            kind="unknown",
            spelling=LENGTH,
            written=text.known,
            unknown=f"how TileRT reads {LENGTH}={text.known} is not known",
            span=span,
        )
    if length is not None and number > length + 1:
        context.log.assume(
            f"{LENGTH}={text.known} is above the draft length + 1 ({length + 1})", span
        )
    return Acceptance(
        kind="synthetic", length=number, spelling=LENGTH, written=text.known, span=span
    )
