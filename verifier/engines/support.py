"""Which engine version forces acceptance for which algorithm: a table in data."""

from __future__ import annotations

from typing import Literal

from verifier.engines.tables import data
from verifier.engines.versions import Version, parse

Support = Literal["yes", "rounds", "no", "unknown"]


def simulated(engine: str, algorithm: str, version: Version | None) -> tuple[Support, str]:
    """Whether the engine honours a forced acceptance length, and the source that says so.

    `rounds`: to a whole number of draft tokens. No version means the newest.
    """
    rows = [
        row
        for row in data("acceptance_support.json")[engine]
        if algorithm in row["algorithms"] or "*" in row["algorithms"]
    ]
    if not rows:
        return "unknown", ""
    answer: Support = "no"
    source = str(rows[0]["source"])
    for row in rows:
        since, before = row.get("since"), row.get("before")
        if version is None:
            if before is not None:
                continue
        elif (since is not None and version < (parse(since) or version)) or (
            before is not None and version >= (parse(before) or version)
        ):
            continue
        if row.get("rounds"):
            answer, source = "rounds", str(row["source"])
        elif answer != "rounds":
            answer, source = "yes", str(row["source"])
    return answer, source


def since(engine: str, algorithm: str) -> str | None:
    """The first version known to honour it."""
    for row in data("acceptance_support.json")[engine]:
        if algorithm in row["algorithms"] and row.get("since"):
            return str(row["since"])
    return None
