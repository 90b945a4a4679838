"""Arguments, messages and exit codes, through the program's entry point."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from verifier import __version__
from verifier.cli import main
from verifier.cli_arguments import COMMANDS, UsageError, parse

ROOT = Path(__file__).resolve().parents[2]


class Done(NamedTuple):
    """What a run gave."""

    returncode: int
    stdout: str
    stderr: str


def verify(*arguments: str | Path, cwd: Path | None = None) -> Done:
    """The program, in this process: its exit code and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([str(argument) for argument in arguments])
    return Done(code, out.getvalue(), err.getvalue())


def test_no_arguments_print_short_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: verify PATH...")
    assert all(f"\n  {name} " in err for name in COMMANDS)


def test_help_and_version_are_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: verify PATH...")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"verify {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: verify {command}")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"\nverify {command} " in (ROOT / "docs" / "cli.md").read_text()


@pytest.mark.parametrize(
    "argv",
    [
        ["launches", "--format", "json", "--env", "A=1", "x.sh"],
        ["--format", "json", "launches", "--env", "A=1", "x.sh"],
        ["--env", "A=1", "--format=json", "launches", "x.sh"],
        ["launches", "x.sh", "--env", "A=1", "--format=json"],
    ],
)
def test_options_stand_before_or_after_the_command(argv: list[str]) -> None:
    options = parse(argv)
    assert (options.command, options.path, options.format) == ("launches", "x.sh", "json")
    assert options.env == {"A": "1"}


def test_paths_are_the_default_command() -> None:
    options = parse(["a.sh", "--check", "10", "b.sh", "--check", "golden-al"])
    assert options.command == "judge"
    assert options.paths == ["a.sh", "b.sh"]
    assert options.check == ["10", "golden-al"]


def test_a_file_named_like_a_command_is_a_path_when_written_as_one() -> None:
    assert parse(["./launches"]).paths == ["./launches"]
    assert parse(["--", "launches"]).paths == ["launches"]
    assert parse(["--root", "launches", "x.sh"]).command == "judge"


def test_the_last_value_of_a_name_wins() -> None:
    assert parse(["x", "--env", "A=1", "--env", "A=2=3", "--env", "B="]).env == {
        "A": "2=3",
        "B": "",
    }


@pytest.mark.parametrize(
    "argv",
    [
        ["--env", "A", "x.sh"],
        ["--env", "1A=2", "x.sh"],
        ["--env", "=2", "x.sh"],
        ["--format", "xml", "x.sh"],
        ["--jobs", "0", "x.sh"],
        ["--jobs", "many", "x.sh"],
        ["--nosuch", "x.sh"],
        ["--form", "json", "x.sh"],
        ["launches"],
        ["launches", "a", "b"],
        ["golden", "frob"],
        ["pr", "12"],
        ["pr", "-1", "--repo", "a/b"],
    ],
)
def test_wrong_usage_is_said_and_exits_2(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError):
        parse(argv)
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("verify: ")


@pytest.mark.parametrize(
    "argv",
    [
        ["--head", "HEAD"],
        ["--base", "HEAD", "x.sh"],
        ["--format", "json"],
        ["launches", "--args-only", "x.sh"],
        ["launches", "--format", "sarif", "x.sh"],
        ["golden", "show"],
        ["golden", "lookup", "dsv4", "mtp", "three"],
        ["checks", "nosuch"],
        ["golden", "show", "nosuch"],
    ],
)
def test_arguments_that_make_no_sense_exit_2(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("verify: ")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    done = verify("no/such.sh", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "verify: no/such.sh: no such file or folder\n"


@pytest.mark.parametrize("command", [(), ("launches",), ("explain",)])
def test_odd_paths_are_no_crash(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "dangling.sh").symlink_to("nowhere")
    (tmp_path / "folder").mkdir()
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "empty.sh").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe.sh")
    for name, codes in {
        "missing.sh": {2},
        "dangling.sh": {2},
        "folder": {2},
        "picture.png": {2, 3},
        "empty.sh": {3},
        "pipe.sh": {3},
        "bad\nname.sh": {2},
        "": {2},
    }.items():
        done = verify(*command, tmp_path / name if name else "", "--root", tmp_path)
        assert done.returncode in codes, (name, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr and "internal error" not in done.stderr
        if name:
            assert name.replace("\n", " ") in done.stderr + done.stdout


def test_a_path_outside_of_the_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "x.sh").write_text("true\n")
    done = verify(tmp_path / "x.sh", "--root", tmp_path / "a")
    assert done.returncode == 2
    assert "outside of the root" in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nosuch: 1\n", ":1"),
        ("default_thinking: maybe\n", ":1"),
        ("limits: {steps: many}\n", ":1"),
        ("root: a\nroot: b\n", ":2"),
        ("root: ../a\n", ":1"),
        ("a: [1\n", ":"),
        ("- 1\n", ":1"),
    ],
)
def test_a_bad_policy_names_file_and_line(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text("true\n")
    (tmp_path / "verifier.yaml").write_text(content)
    done = verify(tmp_path / "x.sh")
    assert done.returncode == 2
    assert done.stderr.startswith(f"verify: verifier.yaml{message}")
    other = verify(tmp_path / "x.sh", "--policy", tmp_path / "verifier.yaml", cwd=tmp_path)
    assert other.returncode == 2
    assert "verifier.yaml" in other.stderr


@pytest.mark.parametrize("kind", ["folder", "dead link"])
def test_a_policy_that_is_no_file_is_not_taken_for_none(kind: str, tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text("true\n")
    if kind == "folder":
        (tmp_path / "verifier.yaml").mkdir()
    else:
        (tmp_path / "verifier.yaml").symlink_to("nowhere.yaml")
    done = verify("--root", tmp_path, tmp_path / "x.sh")
    assert done.returncode == 2
    assert done.stderr.startswith("verify: verifier.yaml: the policy is not a file")


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text("true\n")
    done = verify(tmp_path / "x.sh", "--policy", tmp_path / "none.yaml")
    assert done.returncode == 2
    assert "none.yaml cannot be read: no such file or directory" in done.stderr


def test_an_unknown_check_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text("true\n")
    done = verify(tmp_path / "x.sh", "--check", "nosuch")
    assert done.returncode == 2
    assert "there is no check 'nosuch' (known: " in done.stderr


@pytest.mark.parametrize(
    "program", [["-m", "verifier"], ["-c", "import verifier.cli as c; c.entry()"]]
)
def test_the_program_in_a_process_of_its_own(program: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *program, "no/such.sh"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "verify: no/such.sh: no such file or folder\n"


def test_a_reader_that_leaves_is_no_crash() -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m verifier policy | head -n 1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("# a value that names no file")
    assert done.stderr == ""


def test_a_defect_is_one_sentence_and_never_a_clean_exit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("verifier.cli_catalogue.checks", lambda options: 1 // 0)
    assert main(["checks"]) == 3
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "internal error (ZeroDivisionError" in err
    assert main(["checks", "-v"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("verifier.cli_catalogue.checks", interrupted)
    assert main(["checks"]) == 130


def test_output_goes_to_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.json"
    assert main(["golden", "list", "--format", "json", "--output", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert len(json.loads(target.read_text())["curves"]) == 9
    assert main(["golden", "list", "--output", str(tmp_path / "no" / "out")]) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("dsv4", "mtp", "3"), "2.49"),
        (("dsv4", "mtp", "3", "--thinking", "off"), "2.97"),
        (("dsv4", "NEXTN", "3"), "2.49"),
        (("minimaxm3", "eagle3", "3"), "2.83"),
        (("minimaxm3", "eagle3", "3", "--draft-model", "org/Eagle3-GQA"), "2.78"),
        (("kimik3", "dspark", "7", "--draft-sample-method", "probabilistic"), "3.84"),
        (("kimik3", "dspark", "7", "--draft-sample-method", "greedy"), "3.78"),
    ],
)
def test_golden_lookup(
    arguments: tuple[str, ...], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["golden", "lookup", *arguments]) == 0
    assert capsys.readouterr().out.startswith(f"{value}  (")
    assert main(["golden", "lookup", *arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == value


@pytest.mark.parametrize(
    "arguments", [("dsv4", "mtp", "9"), ("kimik3", "dspark", "7"), ("nosuch", "mtp", "3")]
)
def test_no_golden_value_is_no_value(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["golden", "lookup", *arguments]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("verify: no golden value: ")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("m:\n  thinking_on:\n    1: 1.5\n    1: 1.6\n", "x_mtp.yaml:4"),
        ("m:\n  thinking_on:\n    1: high\n", "x_mtp.yaml:3"),
        ("m:\n  thinking_on:\n    1: 2.5\n", "x_mtp.yaml:3"),
        ("m:\n  thinking_on: [\n", "x_mtp.yaml:"),
        ("", "x_mtp.yaml:1"),
    ],
)
def test_a_broken_curve_names_file_and_line(
    content: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "golden_al_distribution").mkdir()
    (tmp_path / "golden_al_distribution" / "x_mtp.yaml").write_text(content)
    for arguments in (["show", "x_mtp"], ["list"], ["lookup", "x", "mtp", "1"]):
        assert main(["golden", *arguments, "--root", str(tmp_path)]) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert f"golden_al_distribution/{place}" in err


def test_policy_names_the_source_of_each_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "verifier.yaml").write_text("root: sub\ndefault_thinking: 'off'\n")
    assert main(["policy", "--root", str(tmp_path), "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["policy"]
    assert shown["root"] == {"value": "sub", "source": "verifier.yaml:1"}
    assert shown["hardware"]["source"] == "default"
    assert main(["policy", "--root", str(tmp_path)]) == 0
    assert 'default_thinking: "off"  # verifier.yaml:2\n' in capsys.readouterr().out
