"""The built wheel carries what it reads and works from an empty folder outside of the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """\
#!/usr/bin/env bash
vllm serve deepseek-ai/DeepSeek-V4-Pro --port 8000 \\
  --speculative-config '{"method":"mtp","num_speculative_tokens":3}' &
run_agentic_replay
"""


def run(*command: str | Path, cwd: Path, codes: tuple[int, ...] = (0,)) -> str:
    """Standard output of a program that knows nothing of this checkout."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV", "GIT_"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder
    )  # a source archive, and the wheel from that archive
    (built,) = folder.glob("*.whl")
    assert list(folder.glob("*.tar.gz"))
    return built


@pytest.mark.slow
def test_the_wheel_holds_what_the_program_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("templates", "golden_al_distribution", "fixtures"):
        files = [p for p in (ROOT / folder).rglob("*") if p.is_file()]
        assert files
        for file in files:
            assert f"verifier/_data/{file.relative_to(ROOT).as_posix()}" in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.slow
def test_the_installed_program_works_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    pip = ("-m", "pip", "--disable-pip-version-check", "-q", "install")
    run(tmp_path / "venv" / "bin" / "python", *pip, wheel, cwd=tmp_path)
    verify = tmp_path / "venv" / "bin" / "verify"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(verify, "golden", "lookup", "dsv4", "mtp", "3", cwd=empty).startswith("2.49 ")
    assert "golden-al" in run(verify, "checks", cwd=empty)
    folder = empty / "benchmarks" / "single_node" / "agentic"
    folder.mkdir(parents=True)
    (folder / "dsv4_fp4_b200_vllm_mtp.sh").write_text(SCRIPT)
    shown = run(verify, "--format", "json", "benchmarks", cwd=empty, codes=(1,))
    rows = {row["slug"]: row for row in json.loads(shown)["checks"]}
    assert rows["golden-al"]["status"] == "fail"
    comment = run(verify, "--format", "markdown", "benchmarks", cwd=empty, codes=(1,))
    assert comment.startswith("## ❌❌❌ **REJECTED** ❌❌❌\n")
