"""`python -m verifier`."""

from verifier.cli import entry

entry()
