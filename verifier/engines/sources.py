"""Files and variables that a launch reads, by the name the command uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.engines import yaml_text
from verifier.engines.log import Log
from verifier.engines.pieces import reason
from verifier.engines.places import of_key
from verifier.model.command import Command
from verifier.model.files import file_key
from verifier.model.launch import Value
from verifier.model.text import Lit, Span, Text

ReadFile = Callable[[str], Text | None]
"""Content of a file that the script did not write; None when it is not known."""


class Surroundings:
    """The environment and the files of one command."""

    def __init__(self, command: Command, read_file: ReadFile | None = None) -> None:
        self.command = command
        self.env: Mapping[str, Text] = command.env
        self._read_file = read_file

    def file(self, name: Text) -> Text | None:
        """The content of a file by its name, None when it is not known."""
        found = self.command.files.get(file_key(name, self.command.cwd))
        if found is None and name.known is not None and self._read_file is not None:
            found = self._read_file(name.known)
        return found

    def place(self, name: Text, key: str) -> Span | None:
        """Where a file sets a key; where the command names it when that is not known."""
        content = self.file(name)
        found = None if content is None else of_key(content, key)
        return found or name.span

    def yaml(self, name: Text, log: Log, option: str) -> Value | None:
        """The document in the file given to `option`; None, noted, when it cannot be read."""
        content = self.file(name)
        if content is None:
            log.unknown(
                f"{option}: {_shown(name)} is not written by the script, "
                "so its settings are not known",
                name.span,
            )
            return None
        try:
            document = yaml_text.read(content)
            if isinstance(document, Text):
                log.unknown(
                    f"{option} {_shown(name)} cannot be read: {reason(document)}", name.span
                )
                return None
            return document
        except yaml_text.YamlError as error:
            if content.known is None:
                log.unknown(f"{option} {_shown(name)} cannot be read: {error}", name.span)
            else:
                log.refuse(f"{option} {_shown(name)} is not valid YAML: {error}", name.span)
            return None


def _shown(name: Text) -> str:
    """A file's name as people write it, inputs as `$NAME`."""
    return "".join(
        piece.value
        if isinstance(piece, Lit)
        else f"${piece.input}"
        if piece.input
        else f"<{piece.reason}>"
        for piece in name.pieces
    )
