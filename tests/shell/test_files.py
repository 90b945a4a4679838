"""Which of the files that a script wrote belong to a launch."""

from __future__ import annotations

from verifier.model.command import Command
from verifier.model.text import NOWHERE, Hole, Text, Word, lit
from verifier.shell.files import named_files

FOLDER = Text((Hole("D is an input", "input:D", input="D"),))


def _named(*words: Text, cwd: Text | None = None) -> set[str]:
    files = {"ser.yaml": lit("a: 1\n"), "/log": lit(""), "$D/c.yaml": lit("b: 2\n")}
    argv = tuple(Word(word) for word in words)
    return set(named_files(Command(argv=argv, span=NOWHERE, files=files, cwd=cwd)))


def test_a_file_is_named_by_a_word_or_after_an_equals_sign() -> None:
    assert _named(lit("serve"), lit("--config"), lit("./ser.yaml")) == {"ser.yaml"}
    assert _named(lit("serve"), lit("--config=ser.yaml")) == {"ser.yaml"}
    assert _named(lit("serve")) == set()


def test_a_folder_that_is_an_input_still_names_the_file() -> None:
    assert _named(lit("--config=") + FOLDER + lit("/c.yaml")) == {"$D/c.yaml"}


def test_a_relative_name_means_another_file_in_another_folder() -> None:
    assert _named(lit("ser.yaml"), cwd=lit("/elsewhere")) == set()
