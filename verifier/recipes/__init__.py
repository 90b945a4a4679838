"""YAML recipes, master configs, and how a point picks a script and its environment."""

from verifier.recipes.reader import Choice, read_facts

__all__ = ["Choice", "read_facts"]
