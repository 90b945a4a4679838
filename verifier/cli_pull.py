"""`verify pr`, `verify signoff` and `verify smoke`."""

from __future__ import annotations

from argparse import Namespace


def pr(options: Namespace) -> int:
    """Judge a pull request through the GitHub API, or a snapshot of one."""
    from verifier.signoff.run import run_pr

    return run_pr(options)


def signoff(options: Namespace) -> int:
    """What the workflow runs."""
    from verifier.signoff.run import run_signoff

    return run_signoff(options)


def smoke(options: Namespace) -> int:
    """The bundled changes, expected against actual."""
    from verifier.smoke import run

    return run(options)
