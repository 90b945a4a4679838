"""The committed bars that evaluation scores must reach."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from verifier.model.record import dataclass, field

if TYPE_CHECKING:
    from verifier.strict_yaml import Value


@dataclass(frozen=True, slots=True)
class Bar:
    """A committed bar: the score a task must reach, and where it is from."""

    value: Decimal
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The bars file. `problem` says why it could not be read."""

    path: str
    default: Mapping[str, Bar] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Bar]] = field(default_factory=dict)
    problem: str | None = None

    def bar(self, prefix: str | None, task: str) -> Bar | None:
        """The most specific bar for a task: the model's, then the default."""
        if prefix is not None and task in self.models.get(prefix, {}):
            return self.models[prefix][task]
        return self.default.get(task)


def read_thresholds(text: str, path: str) -> Thresholds:
    """The bars of a file; a file without sections holds defaults only. Never raises."""
    from verifier.strict_yaml import YamlError, read

    try:
        root = read(text, path)
        if root is None:
            return Thresholds(path, problem=f"{path} is empty")
        sections = root.mapping()
        if "default" not in sections and "models" not in sections:
            return Thresholds(path, _bars(root, "default"))
        default = sections.get("default")
        models = sections.get("models")
        return Thresholds(
            path,
            {} if default is None or default.null else _bars(default, "default"),
            {}
            if models is None or models.null
            else {name: _bars(value, f"models.{name}") for name, value in models.mapping().items()},
        )
    except YamlError as error:
        return Thresholds(path, problem=str(error))


def _bars(section: Value, source: str) -> dict[str, Bar]:
    return {
        task: Bar(value.decimal(), source, value.span.line)
        for task, value in section.mapping().items()
    }
