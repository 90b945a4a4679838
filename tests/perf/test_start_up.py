"""What a command must not load. Each of these costs more than judging a small script."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_LOADED = """
import sys
before = set(sys.modules)
from verifier.cli import main
code = main(sys.argv[1:])
import json
print("\\n" + json.dumps([code, sorted(set(sys.modules) - before)]))
"""

_SCRIPT = """\
#!/usr/bin/env bash
source "$(dirname "$0")/benchmark_lib.sh"
check_env_vars MODEL TP CONC
if [[ -n "$SLURM_JOB_ID" ]]; then echo "job $SLURM_JOB_ID"; fi
vllm serve "$MODEL" --port 8888 --tensor-parallel-size "$TP" --max-num-seqs "$((CONC * 2))" &
wait_for_server_ready --port 8888 --server-pid $!
run_benchmark_serving --model "$MODEL" --max-concurrency "$CONC"
"""

_LIBRARIES = ("github", "jinja2", "markdown_it", "requests", "yaml", "bashlex")
_STANDARD = (
    "ast",
    "asyncio",
    "concurrent",
    "dataclasses",
    "email",
    "hashlib",
    "http",
    "inspect",
    "logging",
    "multiprocessing",
    "pathlib",
    "shutil",
    "string",
    "subprocess",
    "tempfile",
    "traceback",
    "urllib",
)
_OURS = (
    "checks.python_values",
    "checks.waivers",
    "verifier.diff",
    "verifier.engines.atom",
    "verifier.engines.sglang",
    "verifier.engines.tilert",
    "verifier.engines.trtllm",
    "verifier.policy_load",
    "verifier.publish",
    "verifier.recipes",
    "verifier.reports.markdown",
    "verifier.shell.commands.awk_syntax",
    "verifier.shell.commands.jq_syntax",
    "verifier.shell.commands.python",
    "verifier.shell.commands.sed",
    "verifier.signoff",
    "verifier.snapshot",
    "verifier.sources.git",
    "verifier.sources.github",
    "verifier.strict_yaml",
)


def loaded(folder: Path, *arguments: str) -> list[str]:
    """Modules that one command loads, the interpreter's own left out."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code in (0, 1), done.stdout + done.stderr
    found: list[str] = modules
    return found


def unwanted(modules: list[str], *names: str) -> list[str]:
    """Which of `names` are among the modules, also as packages."""
    return [name for name in names if any(f"{m}.".startswith(f"{name}.") for m in modules)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run.sh").write_text(_SCRIPT)
    return tmp_path


def test_a_script_is_judged_without_what_it_does_not_need(folder: Path) -> None:
    modules = loaded(folder, "run.sh")
    assert "verifier.engines.vllm_args" in modules
    assert unwanted(modules, *_LIBRARIES, *_STANDARD, *_OURS) == []


def test_the_version_needs_no_evaluator(folder: Path) -> None:
    modules = loaded(folder, "--version")
    others = ("checks", "verifier.engines", "verifier.policy", "verifier.shell")
    assert unwanted(modules, *_LIBRARIES, *_STANDARD, *_OURS, *others) == []
