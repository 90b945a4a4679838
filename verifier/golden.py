"""Golden acceptance lengths: load the curves, choose the one a launch belongs to, look it up.

A curve is one YAML file, `{model: {thinking_on: {1: AL, …}, thinking_off: {…}}}`, named
`<prefix>_<method>.yaml`. AL counts the bonus token, so it lies in [1, K + 1] for K draft tokens.
Which curve a launch uses follows `synthetic_acceptance.py` of InferenceX (`infx/srt_slurm`):
method, draft model and draft sampler decide, the checkpoint's precision does not. Nothing is
interpolated: curves are not even monotone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from verifier.model.record import dataclass
from verifier.model.text import Span, Text

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.policy import Policy
    from verifier.strict_yaml import Value

Code = Literal[
    "ambiguous_curve",
    "no_curve",
    "no_golden_value",
    "invalid_curve",
    "draft_length_unknown",
    "method_unknown",
]
MODES = ("thinking_on", "thinking_off")
_DSPARK_DEEPSEEK = "dsv4-pro-0813-dspark"
_DEEPSEEK_PREFIXES = ("dsv4", "dsv4dspark", "dsv4dsparkprob")
_KIMI_PROBABILISTIC = "kimik3_dspark_probabilistic_sample_method_block_rejection_sample_method"


class GoldenError(ValueError):
    """A curve file that cannot be used; the message names file, line and key path."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@dataclass(frozen=True, slots=True)
class Cell:
    """One golden value and its line in the curve file."""

    value: Decimal
    span: Span


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve file."""

    name: str
    """File name without `.yaml`."""
    path: str
    model: str
    modes: Mapping[str, Mapping[int, Cell]]
    """`thinking_on` and `thinking_off` to draft length to cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The golden value for a launch, or why there is none."""

    curve: Curve | None = None
    mode: str = ""
    draft_length: int | None = None
    cell: Cell | None = None
    code: Code | None = None
    problem: str | None = None
    """A sentence that continues "cannot be compared: "."""
    candidates: tuple[str, ...] = ()
    """Curve names that fit as far as is known."""
    span: Span | None = None
    """The broken line of an invalid curve."""
    note: str | None = None
    """An assumption that the choice rests on."""

    @property
    def value(self) -> Decimal | None:
        return None if self.cell is None else self.cell.value


class Golden:
    """The curves of one folder. Files are parsed on first use and then remembered."""

    def __init__(
        self, folder: str, names: tuple[str, ...], read: Callable[[str], bytes | None]
    ) -> None:
        self.folder = folder
        """Where they come from, for messages."""
        self.names = names
        """Curve names, sorted."""
        self._read = read
        self._curves: dict[str, Curve | GoldenError] = {}

    @classmethod
    def load(cls, tree: Tree, policy: Policy | None = None) -> Golden:
        """The curves of a tree, or the bundled ones when it has no curve folder."""
        from verifier.policy import DEFAULT

        policy = policy or DEFAULT
        for folder in policy.patterns(policy.paths.curves):
            if tree.is_dir(folder):
                return cls(folder, _names(folder, tree.files(folder)), tree.read)
        return cls.bundled()

    @classmethod
    def bundled(cls) -> Golden:
        """The curves that come with the program."""
        from verifier import resources

        place = resources.golden_folder()
        folder = os.path.basename(place)
        files = tuple(f"{folder}/{name}" for name in os.listdir(place))

        def read(path: str) -> bytes | None:
            file = os.path.join(place, path.rsplit("/", 1)[-1])
            if not os.path.isfile(file):
                return None
            with open(file, "rb") as stream:
                return stream.read()

        return cls(folder, _names(folder, files), read)

    def curve(self, name: str) -> Curve:
        """A curve by name. Raises `GoldenError`, also for an unknown name."""
        known = self._curves.get(name)
        if known is None:
            try:
                known = self._parse(name)
            except GoldenError as error:
                known = error
            self._curves[name] = known
        if isinstance(known, GoldenError):
            raise known
        return known

    def of_prefix(self, prefix: str) -> tuple[str, ...]:
        """Names of all curves of a model prefix."""
        special = (_DSPARK_DEEPSEEK,) if prefix in _DEEPSEEK_PREFIXES else ()
        mine = (n for n in self.names if n.startswith(f"{prefix}_") or n in special)
        return tuple(sorted(mine))

    def choose(
        self,
        prefix: str,
        method: str | None,
        draft_length: int | None,
        thinking: str = "on",
        *,
        draft_model: Text | str | None = None,
        draft_sample_method: str | None = None,
        engine: str | None = None,
    ) -> Choice:
        """The golden value of a launch.

        `method` None means unknown. `draft_sample_method` None means not set, so that the
        engine's default applies; without an engine it cannot be told.
        """
        prefix = prefix.lower()
        names, note = self._candidates(prefix, method, draft_model, draft_sample_method, engine)
        if method is None:
            return Choice(
                code="method_unknown",
                problem="the drafting method is not known",
                candidates=names,
            )
        if len(names) > 1:
            values = self._values(names, draft_length, f"thinking_{thinking}")
            return Choice(
                code="ambiguous_curve",
                problem=f"{note}: {' or '.join(values)}",
                candidates=names,
                draft_length=draft_length,
            )
        name = names[0]
        if name not in self.names:
            return Choice(code="no_curve", problem=self._no_curve(name, prefix), candidates=names)
        try:
            curve = self.curve(name)
        except GoldenError as error:
            return Choice(
                code="invalid_curve", problem=str(error), candidates=names, span=error.span
            )
        return _look_up(curve, draft_length, f"thinking_{thinking}", note)

    def _candidates(
        self,
        prefix: str,
        method: str | None,
        draft_model: Text | str | None,
        draft_sample_method: str | None,
        engine: str | None,
    ) -> tuple[tuple[str, ...], str | None]:
        """Curve names that fit, and why there are several or what was assumed."""
        if method is None:
            return self.of_prefix(prefix), None
        method = normalised(prefix, method)
        if method == "dspark" and prefix in _DEEPSEEK_PREFIXES:
            sampler = _sampler(draft_sample_method, engine)
            return (_DSPARK_DEEPSEEK,), (
                f"{_DSPARK_DEEPSEEK} was measured with a probabilistic draft sampler and is the "
                f"only DSpark curve of this model; the launch's sampler is {sampler or 'not known'}"
                if sampler != "probabilistic"
                else None
            )
        plain = f"{prefix}_{method}"
        if method == "dspark" and prefix == "kimik3":
            sampler = _sampler(draft_sample_method, engine)
            if sampler == "probabilistic":
                return (_KIMI_PROBABILISTIC,), None
            if sampler == "greedy":
                return (plain,), None
            return (plain, _KIMI_PROBABILISTIC), (
                "the draft sampler (draft_sample_method) decides the curve and is not known"
            )
        if method == "eagle3" and prefix == "minimaxm3":
            gqa = _names_gqa(draft_model)
            if gqa is None:
                return (plain, f"{plain}_gqa"), (
                    "the draft model decides the curve (plain or GQA head) and its name is not "
                    "known"
                )
            return (f"{plain}_gqa" if gqa else plain,), None
        return (plain,), None

    def _values(self, names: tuple[str, ...], length: int | None, mode: str) -> Iterator[str]:
        for name in names:
            try:
                cell = self.curve(name).modes.get(mode, {}).get(length or 0)
            except GoldenError:
                cell = None
            yield name if cell is None else f"{cell.value} ({name})"

    def _no_curve(self, name: str, prefix: str) -> str:
        others = self.of_prefix(prefix)
        have = f"curves of {prefix}: {', '.join(others)}" if others else f"{prefix} has no curve"
        return f"there is no curve {name}.yaml in {self.folder} ({have})"

    def _parse(self, name: str) -> Curve:
        from verifier.model.tree import Unreadable
        from verifier.strict_yaml import YamlError, read

        path = f"{self.folder}/{name}.yaml"
        nowhere = Span(path, 1)
        if name not in self.names:
            raise GoldenError(f"{path}:1: there is no such curve", nowhere)
        try:
            data = self._read(path)
            document = None if data is None else read(data, path)
        except Unreadable as error:
            raise GoldenError(f"{path}:1: cannot be read: {error}", nowhere) from None
        except YamlError as error:
            raise GoldenError(str(error), error.span) from None
        if document is None:
            raise GoldenError(f"{path}:1: the file is empty", nowhere)
        try:
            return _curve(name, path, document)
        except YamlError as error:
            raise GoldenError(str(error), error.span) from None


def normalised(prefix: str, method: str) -> str:
    """The method's name in curve files: SGLang's EAGLE and NEXTN are the model's own head."""
    method = method.lower()
    if method in ("eagle", "nextn"):
        return "eagle3" if prefix == "minimaxm3" else "mtp"
    return method


def _sampler(written: str | None, engine: str | None) -> str | None:
    """Draft sampler in effect. Defaults: vLLM greedy (`config/speculative.py`); ATOM's DSpark
    draws from the draft's distribution."""
    if written is not None:
        return None if written == "unknown" else written
    return {"vllm": "greedy", "atom": "probabilistic"}.get(engine or "")


def _names_gqa(draft: Text | str | None) -> bool | None:
    """Whether the draft model's name says GQA; None when an unknown part may say so."""
    if draft is None:
        return False
    if isinstance(draft, str):
        return "gqa" in draft.lower()
    if any(isinstance(part, str) and "gqa" in part.lower() for part in draft.key):
        return True
    if draft.known is not None:
        return False
    if len(draft.holes) == len(draft.pieces) == 1 and draft.holes[0].choices:
        answers = {"gqa" in choice.lower() for choice in draft.holes[0].choices}
        return answers.pop() if len(answers) == 1 else None
    last = draft.key[-1]
    base = last.rstrip("/").rpartition("/") if isinstance(last, str) else ("", "", "")
    # With an unknown folder in front, a base name that names the head still tells.
    return False if base[1] and "eagle" in base[2].lower() else None


def _look_up(curve: Curve, length: int | None, mode: str, note: str | None) -> Choice:
    values = curve.modes.get(mode)
    if length is None:
        return Choice(
            curve=curve,
            mode=mode,
            code="draft_length_unknown",
            problem="the number of draft tokens is not known",
            candidates=(curve.name,),
        )
    if values is None or length not in values:
        have = "none" if not values else ", ".join(str(k) for k in sorted(values))
        return Choice(
            curve=curve,
            mode=mode,
            draft_length=length,
            code="no_golden_value",
            problem=f"{curve.path} has no {mode} value for {length} draft tokens (it has: {have}); "
            "nothing is extrapolated",
            candidates=(curve.name,),
        )
    return Choice(curve=curve, mode=mode, draft_length=length, cell=values[length], note=note)


def _names(folder: str, files: tuple[str, ...]) -> tuple[str, ...]:
    names = (f.removeprefix(f"{folder}/") for f in files if f.endswith(".yaml"))
    return tuple(sorted(n.removesuffix(".yaml") for n in names if "/" not in n))


def _curve(name: str, path: str, document: Value) -> Curve:
    models = document.mapping()
    if len(models) != 1:
        raise document.error(f"expected exactly one model, found {len(models)}")
    model, body = next(iter(models.items()))
    modes: dict[str, Mapping[int, Cell]] = {}
    for mode, values in body.mapping().items():
        if mode not in MODES:
            raise values.error(f"unknown mode; allowed: {', '.join(MODES)}")
        modes[mode] = dict(_cells(values))
    if not modes:
        raise body.error("no values")
    return Curve(name, path, model, modes)


def _cells(values: Value) -> Iterator[tuple[int, Cell]]:
    for key, item in values.mapping().items():
        if not key.isdecimal() or key.startswith("0"):
            raise item.error("the key must be a number of draft tokens, 1 or more")
        length, value = int(key), item.decimal()
        if not 1 <= value <= length + 1:
            raise item.error(
                f"{value} is not an acceptance length of {length} draft tokens: it must lie in "
                f"[1, {length + 1}]"
            )
        yield length, Cell(value, item.span)
