"""What differs between two trees."""

from __future__ import annotations

from typing import Literal

from verifier.model.record import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """One changed path. A rename has both names."""

    path: str
    """Its name at the head (at the base for a deletion)."""
    status: Literal["added", "modified", "deleted", "renamed"]
    previous: str | None = None
    """Its name at the base when it was renamed."""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.path,) if self.previous is None else (self.path, self.previous)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The change under review: merge base to head."""

    base: str
    """Merge base, as a revision people can look up."""
    head: str
    files: tuple[ChangedFile, ...]
