"""How each engine reads its arguments, environment and config files."""
