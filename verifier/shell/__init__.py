"""Bash, evaluated without running it."""
