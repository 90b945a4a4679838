"""Files and variables that a launch reads, by the name the command uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from posixpath import normpath

from verifier.engines import yaml_text
from verifier.engines.log import Log
from verifier.engines.pieces import hole_name, reason
from verifier.model.command import Command
from verifier.model.launch import Value
from verifier.model.text import Text

ReadFile = Callable[[str], Text | None]
"""Content of a file that the script did not write; None when it is not known."""


class Surroundings:
    """The environment and the files of one command."""

    def __init__(self, command: Command, read_file: ReadFile | None = None) -> None:
        self.command = command
        self.env: Mapping[str, Text] = command.env
        self._files = {normpath(path): content for path, content in command.files.items()}
        self._read_file = read_file

    def file(self, name: Text) -> Text | None:
        """The content of a file by its name, None when it is not known."""
        if name.known is None:
            return None
        found = self._files.get(normpath(name.known))
        if found is None and name.known in self.command.files:
            found = self.command.files[name.known]
        if found is None and self._read_file is not None:
            found = self._read_file(name.known)
        return found

    def yaml(self, name: Text, log: Log, option: str) -> Value | None:
        """The document in the file given to `option`; None, noted, when it cannot be read."""
        content = self.file(name)
        if content is None:
            why = (
                f"the name of the file {hole_name(name)} is not known: {reason(name)}"
                if name.known is None
                else f"{name.known} is not written by the script, so its settings are not known"
            )
            log.unknown(f"{option}: {why}", name.span)
            return None
        try:
            document = yaml_text.read(content)
            if isinstance(document, Text):
                log.unknown(
                    f"{option} {name.display()} cannot be read: {reason(document)}", name.span
                )
                return None
            return document
        except yaml_text.YamlError as error:
            if content.known is None:
                log.unknown(f"{option} {name.display()} cannot be read: {error}", name.span)
            else:
                log.refuse(f"{option} {name.display()} is not valid YAML: {error}", name.span)
            return None

    def unset(self, name: str) -> bool:
        return name not in self.env
