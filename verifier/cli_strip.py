"""`verify strip`: the file without forced acceptance, and no other byte changed."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from verifier.cli_launches import readable, space_of
from verifier.cli_output import PASSED, UNDECIDED, InputError, formats
from verifier.model.context import RecipeFacts
from verifier.model.launch import Launch
from verifier.model.tree import Tree


class Overlay:
    """A tree in which one file has another content."""

    def __init__(self, tree: Tree, path: str, data: bytes) -> None:
        self.name = tree.name
        self._tree = tree
        self._path = path
        self._data = data

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None when there is no such file."""
        return self._data if path == self._path else self._tree.read(path)

    def is_dir(self, path: str) -> bool:
        """Whether there is a folder of that name."""
        return self._tree.is_dir(path)

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Paths of all files below `folder`, sorted."""
        return self._tree.files(folder)


def strip(options: Namespace) -> int:
    """Write the file without forced acceptance; 3 when that cannot be done safely."""
    from verifier.engines.strip import CannotStrip
    from verifier.engines.strip import strip as stripped
    from verifier.facts import Reading, read_recipe, read_text

    formats(options, "text")
    space, path = space_of(options, options.path)
    reading = Reading(env=options.env, closed=options.closed, thinking=options.thinking)

    def launches(tree: Tree) -> Sequence[Launch]:
        recipes = read_recipe(path, tree, space.policy, reading)
        _require_whole(recipes)
        return [launch for recipe in recipes for launch in recipe.launches]

    def relaunch(text: str) -> Sequence[Launch]:
        return launches(Overlay(space.tree, path, _bytes(text)))

    text = readable(lambda: read_text(path, space.tree))
    try:
        result = stripped(path, text, readable(lambda: launches(space.tree)), relaunch)
    except CannotStrip as error:
        raise InputError(f"{path}:{error.line}: {error.reason}", UNDECIDED) from None
    _deliver(_bytes(result), options)
    return PASSED


def _require_whole(recipes: Sequence[RecipeFacts]) -> None:
    """A launch that was not found could not be proved to be unchanged."""
    for recipe in recipes:
        for note in recipe.unresolved:
            raise InputError(f"{note.span}: not read to the end: {note.text}", UNDECIDED)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _deliver(data: bytes, options: Namespace) -> None:
    """The very bytes, whatever the terminal's encoding."""
    if options.output is None:
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:
            sys.stdout.write(data.decode("utf-8", "replace"))
        else:
            sys.stdout.flush()
            binary.write(data)
            binary.flush()
        return
    try:
        with open(options.output, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise InputError(f"cannot write {options.output}: {error.strerror}") from None
