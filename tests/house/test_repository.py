"""What the repository promises about itself."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.readme import EXAMPLE, current

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Import name to distribution name, where they differ.
DISTRIBUTIONS = {
    "github": "PyGithub",
    "yaml": "pyyaml",
    "markdown_it": "markdown-it-py",
}


def tracked() -> list[Path]:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not done.stdout:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name]


def sources(folder: str) -> Iterator[Path]:
    yield from sorted((ROOT / folder).rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def requirement_names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[ ]", text)[0].lower() for text in requirements}


def test_every_import_is_a_declared_dependency() -> None:
    import sys

    own = {"verifier", "checks"} | set(sys.stdlib_module_names)
    used = {n for f in (*sources("verifier"), *sources("checks")) for n in imported(f)} - own
    declared = requirement_names(PROJECT["dependencies"])
    assert {DISTRIBUTIONS.get(name, name).lower() for name in used} == declared


def test_every_dependency_has_a_lower_bound() -> None:
    extras = PROJECT["optional-dependencies"]
    for text in (*PROJECT["dependencies"], *extras["test"]):
        assert ">=" in text, text


def test_readme_needs_two_commands() -> None:
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    first, second = commands
    assert "pip install" in first and "verify fixtures/" in first
    assert ".[test]" in second and "pytest" in second
    assert README.count(".[test]") == 1


def test_readme_shows_what_the_program_prints() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("paths are printed from the git root")
    assert current(README) == README, "run python -m tests.house.readme"
    assert README.count("```bash\n") == README.count("```console\n") == 1
    assert f"/bin/verify {EXAMPLE}\n" in README
    assert "fail [10 golden-al: pin_mismatch]" in README


def test_ci_runs_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "grep -m1 -F '.[test]' README.md" in script
    (line,) = (line for line in README.splitlines() if ".[test]" in line)
    assert line.startswith("python3 -m venv .venv && ")


def test_no_text_knows_the_machine_it_was_written_on() -> None:
    # Written in pieces, so that this file is clean too.
    words = ["/work" + "/main", "/tmp" + "/venv", "/ho" + "me/", "files.python" + "hosted.org"]
    words.append("simple" + "/pypi")
    for file in tracked():
        if not file.is_file():
            continue
        text = file.read_bytes().decode("utf-8", "replace")
        for word in words:
            assert word not in text, (file, word)


def test_scripts_are_executable() -> None:
    for name in (".ci/run",):
        assert (ROOT / name).stat().st_mode & 0o111


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target
