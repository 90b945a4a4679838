"""Whether the master configs use a recipe for evaluation only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.model.tree import Unreadable

if TYPE_CHECKING:
    from verifier.model.tree import Tree
    from verifier.policy import Policy


def only_for_evaluation(path: str, tree: Tree, policy: Policy) -> bool:
    """True when some config names the recipe for evaluations and none for throughput."""
    rules = policy.point
    names = [path]
    for before, after in rules.recipe_places:
        place = policy.place(after)
        if after and path.startswith(place):
            names.append(before + path[len(place) :])
    uses: set[str] = set()
    for config in policy.paths.master_configs:
        try:
            data = tree.read(policy.place(config)) or b""
        except Unreadable:
            continue
        for name in names:
            # A plain search first: the configs are long and most recipes are in neither form.
            if name.encode() in data:
                pattern = rf"\b([A-Z_]+)={re.escape(name)}(?![\w./-])".encode()
                uses |= {match[1].decode() for match in re.finditer(pattern, data)}
    return rules.eval_recipe_setting in uses and rules.recipe_setting not in uses
