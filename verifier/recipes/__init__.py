"""YAML recipes, master configs, and how a point picks a script and its environment."""

from verifier.recipes.reader import read_facts

__all__ = ["read_facts"]
