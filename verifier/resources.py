"""Files that come with the verifier: templates, golden curves, smoke-test changes.

In a checkout (and an editable install) they lie beside the package; a wheel carries them inside
it, under `_data`.
"""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.realpath(__file__))


def folder(name: str) -> str:
    """The folder `templates`, `golden_al_distribution` or `fixtures`.

    Raises FileNotFoundError when this installation is incomplete.
    """
    for above in (os.path.join(_PACKAGE, "_data"), os.path.dirname(_PACKAGE)):
        place = os.path.join(above, name)
        if os.path.isdir(place):
            return place
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of verify")


def template_folder() -> str:
    """Jinja templates of the comment."""
    return folder("templates")


def golden_folder() -> str:
    """The bundled golden acceptance lengths."""
    return folder("golden_al_distribution")


def fixture_folder() -> str:
    """The bundled smoke-test changes."""
    return folder("fixtures")
