"""YAML recipes and master configs, as launches and points."""
