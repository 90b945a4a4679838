"""Files that come with the verifier: templates, golden curves, smoke-test changes.

In a checkout (and an editable install) they lie beside the package; a wheel carries them inside
it, under `_data`.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `templates`, `golden_al_distribution` or `fixtures`.

    Raises FileNotFoundError when this installation is incomplete.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of verify")


def template_folder() -> Path:
    """Jinja templates of the comment."""
    return folder("templates")


def golden_folder() -> Path:
    """The bundled golden acceptance lengths."""
    return folder("golden_al_distribution")


def fixture_folder() -> Path:
    """The bundled smoke-test changes."""
    return folder("fixtures")
