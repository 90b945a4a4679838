"""Agentic or synthetic: what traffic a recipe's server gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.model.launch import Workload
from verifier.model.record import dataclass

if TYPE_CHECKING:
    from verifier.policy import Policy
    from verifier.policy_sections import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Workloads:
    """Where a recipe lies."""

    path: str
    root: str
    """Folder of the tree on disk, or "": a file given alone has lost its folders."""
    policy: Policy


def workload_of(
    place: Workloads, clients: Sequence[tuple[str, Client]], is_agentic: str | None
) -> tuple[Workload, str]:
    """The workload and why. The clients that run, the folder and IS_AGENTIC must not disagree."""
    named = {
        client.workload: name for name, client in reversed(clients) if client.workload != "path"
    }
    path = _known_path(place)
    folder = place.policy.is_agentic(path)
    if "agentic" in named and "synthetic" in named:
        return "unknown", f"both {named['agentic']} and {named['synthetic']} drive the server"
    if folder and "synthetic" in named:
        return "unknown", f"the folder says agentic, the client {named['synthetic']} does not"
    if is_agentic is not None and named:
        said: Workload = "agentic" if is_agentic == "1" else "synthetic"
        if said not in named:
            return "unknown", f"IS_AGENTIC={is_agentic} disagrees with {next(iter(named.values()))}"
    if "agentic" in named:
        return "agentic", f"{named['agentic']} replays agentic traffic"
    if "synthetic" in named:
        return "synthetic", f"{named['synthetic']} sends random tokens"
    if is_agentic is not None:
        return ("agentic" if is_agentic == "1" else "synthetic"), f"IS_AGENTIC={is_agentic}"
    if folder:
        return "agentic", f"{path} lies in an agentic folder"
    if place.policy.is_script(path) or place.policy.is_recipe(path):
        return "synthetic", f"{path} lies in no agentic folder"
    return "unknown", "neither the folder nor a known client tells the workload"


def _known_path(place: Workloads) -> str:
    """The path, with as much of the tree's own folder in front as makes it a known one."""
    policy = place.policy
    if policy.is_script(place.path) or policy.is_recipe(place.path) or not place.root:
        return place.path
    parents = [part for part in place.root.split("/") if part]
    longer = place.path
    for part in reversed(parents):
        longer = f"{part}/{longer}"
        if policy.is_script(longer) or policy.is_recipe(longer):
            return longer
    if parents and policy.is_agentic(f"{parents[-1]}/{place.path}"):
        return f"{parents[-1]}/{place.path}"
    return place.path
