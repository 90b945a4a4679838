"""The whole road, from a file or a commit to the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.house.test_command_line import verify
from tests.house.test_sources import commit, git

FOLDER = "benchmarks/single_node/agentic"
SCRIPT = f"{FOLDER}/dsv4_fp4_b200_vllm_mtp.sh"
LIBRARY = """\
check_env_vars() { for name in "$@"; do [ -n "${!name:-}" ] || exit 1; done; }
wait_for_server_ready() { sleep 1; }
run_agentic_replay() { python3 -m replay "$@"; }
"""
REAL = '{"method":"mtp","num_speculative_tokens":3}'


def pinned(length: str, tokens: int = 3) -> str:
    return (
        f'{{"method":"mtp","num_speculative_tokens":{tokens},'
        f'"rejection_sample_method":"synthetic","synthetic_acceptance_length":{length}}}'
    )


def script(settings: str) -> str:
    return f"""\
#!/usr/bin/env bash
set -euo pipefail

source "$(dirname "$0")/../../benchmark_lib.sh"

check_env_vars MODEL TP CONC PORT

set -x
vllm serve deepseek-ai/DeepSeek-V4-Pro \\
  --host 0.0.0.0 --port "$PORT" \\
  --tensor-parallel-size "$TP" \\
  --speculative-config '{settings}' \\
  > server.log 2>&1 &

wait_for_server_ready --port "$PORT"
run_agentic_replay --port "$PORT" --concurrency "$CONC"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / FOLDER).mkdir(parents=True)
    (root / "benchmarks" / "benchmark_lib.sh").write_text(LIBRARY)
    (root / SCRIPT).write_text(script(REAL))
    return root


def row(shown: str, slug: str = "golden-al") -> dict[str, Any]:
    rows = {check["slug"]: check for check in json.loads(shown)["checks"]}
    found: dict[str, Any] = rows[slug]
    return found


def test_real_acceptance_is_rejected_with_the_expected_pin(tree: Path) -> None:
    done = verify(SCRIPT, "--format", "json", cwd=tree)
    assert done.returncode == 1, done.stderr
    check = row(done.stdout)
    assert check["status"] == "fail"
    (finding,) = [f for f in check["findings"] if f["status"] == "fail"]
    assert finding["code"] == "real_acceptance"
    assert (finding["path"], finding["line"]) == (SCRIPT, 12)
    said = " ".join([finding["message"], *(r["text"] for r in finding["related"])])
    for part in ("2.49", "dsv4_mtp", "thinking", "3"):
        assert part in said
    text = verify(SCRIPT, cwd=tree)
    assert text.returncode == 1
    assert f"{SCRIPT}:12:" in text.stdout
    assert "12 |   --speculative-config" in text.stdout and "^^^" in text.stdout
    assert text.stdout.splitlines()[-1].startswith("REJECTED: ")


def test_the_right_pin_passes(tree: Path) -> None:
    (tree / SCRIPT).write_text(script(pinned("2.49")))
    done = verify(SCRIPT, "--format", "json", cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    assert row(done.stdout)["status"] == "pass"
    assert "thinking" in str(json.loads(done.stdout)["assumptions"])


def test_another_pin_is_a_mismatch_with_both_numbers(tree: Path) -> None:
    (tree / SCRIPT).write_text(script(pinned("2.54")))
    done = verify(SCRIPT, "--format", "json", cwd=tree)
    assert done.returncode == 1
    (finding,) = [f for f in row(done.stdout)["findings"] if f["status"] == "fail"]
    assert finding["code"] == "pin_mismatch"
    assert "2.54" in finding["message"] and "2.49" in finding["message"]


def test_the_comment_starts_with_the_verdict(tree: Path) -> None:
    done = verify(SCRIPT, "--format", "markdown", cwd=tree)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "## ❌❌❌ **REJECTED** ❌❌❌"
    assert any(line.startswith("❌ Check 10 (golden AL): FAIL — ") for line in lines)


@pytest.mark.parametrize("name", ["sarif", "github"])
def test_other_formats_have_the_same_exit_code(name: str, tree: Path) -> None:
    done = verify(SCRIPT, "--format", name, cwd=tree)
    assert done.returncode == 1
    assert "real_acceptance" in done.stdout


def test_one_check_can_be_chosen(tree: Path) -> None:
    for check in ("chat-template", "8"):
        done = verify(SCRIPT, "--check", check, "--format", "json", cwd=tree)
        assert [c["slug"] for c in json.loads(done.stdout)["checks"]] == ["chat-template"]
        assert done.returncode == 0


def test_a_folder_stands_for_its_recipes(tree: Path) -> None:
    for index in range(9):  # enough for several processes
        (tree / FOLDER / f"dsv4_fp4_b200_vllm{index}_mtp.sh").write_text(script(pinned("2.49")))
    one = verify("benchmarks", "--format", "json", "--jobs", "1", cwd=tree)
    many = verify("benchmarks", "--format", "json", "--jobs", "2", cwd=tree)
    assert one.stdout == many.stdout
    assert one.returncode == many.returncode == 1
    findings = row(one.stdout)["findings"]
    assert sum(f["status"] == "fail" for f in findings) == 1
    assert len({f["path"] for f in findings}) == 10


def test_a_folder_without_recipes_is_said(tree: Path) -> None:
    (tree / "docs").mkdir()
    (tree / "docs" / "page.md").write_text("x")
    done = verify("docs", cwd=tree)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "verify: docs holds no benchmark script or recipe\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\x7fELF\0\0\0\1", "binary"),
        (b"#!/bin/bash\nif true; then\n  vllm serve m\n", ""),
        (b"#!/bin/bash\necho 'never closed\nvllm serve m\n", ""),
    ],
)
def test_what_cannot_be_read_is_never_a_pass(content: bytes, words: str, tree: Path) -> None:
    (tree / SCRIPT).write_bytes(content)
    for arguments in (
        (),
        ("--format", "json"),
        ("--check", "chat-template"),
        ("--format", "github"),
    ):
        done = verify(SCRIPT, *arguments, cwd=tree)
        assert done.returncode == 3, (arguments, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr and "internal error" not in done.stderr
        assert words in done.stdout + done.stderr
        assert SCRIPT in done.stdout + done.stderr
    text = verify(SCRIPT, cwd=tree).stdout
    assert f"{SCRIPT}:" in text
    shown = json.loads(verify(SCRIPT, "--format", "json", cwd=tree).stdout)
    assert shown["verdict"] == "unresolved"
    assert shown["unread"][0]["line"] >= 1


def test_a_broken_curve_is_no_pass(tree: Path) -> None:
    (tree / "golden_al_distribution").mkdir()
    (tree / "golden_al_distribution" / "dsv4_mtp.yaml").write_text(
        "deepseek-v4-pro:\n  thinking_on:\n    3: 2.49\n    3: 2.50\n"
    )
    (tree / SCRIPT).write_text(script(pinned("2.49")))
    done = verify(SCRIPT, cwd=tree)
    assert done.returncode == 3
    assert "golden_al_distribution/dsv4_mtp.yaml:4" in " ".join(done.stdout.split())


# --- launches and explain ----------------------------------------------------------------------


def test_launches_as_json(tree: Path) -> None:
    done = verify("launches", SCRIPT, "--format", "json", cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    (launch,) = shown["launches"]
    assert launch["argv"][:3] == ["vllm", "serve", "deepseek-ai/DeepSeek-V4-Pro"]
    assert launch["line"] == 9
    at = launch["argv"].index("--port") + 1
    (part,) = launch["argv"][at]["parts"]
    assert "PORT" in part["unknown"]
    assert launch["engine"] == "vllm" and launch["refused"] is None
    assert launch["speculation"]["draft_length"] == 3
    assert launch["speculation"]["acceptance"]["kind"] == "real"
    assert launch["speculative_settings"]["num_speculative_tokens"] == 3


def test_a_closed_world_has_no_conditions(tree: Path) -> None:
    inputs = [x for name in ("MODEL", "TP", "CONC", "PORT") for x in ("--env", f"{name}=8")]
    done = verify("launches", SCRIPT, "--closed", *inputs, "--format", "json", cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    (launch,) = json.loads(done.stdout)["launches"]
    assert launch["when"] == [[]]
    assert launch["argv"][launch["argv"].index("--port") + 1] == "8"


def test_any_command_can_be_listed(tree: Path) -> None:
    (tree / "x.sh").write_text(
        'f() { rec b "$1"; }\nrec a\nf 2\nK=3 rec c $((1 + 1))\n( cd /; rec d )\necho no\n'
    )
    done = verify("launches", "x.sh", "--command", "rec", "--format", "json", "--closed", cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["launches"]
    assert [c["argv"] for c in found] == [
        ["rec", "a"],
        ["rec", "b", "2"],
        ["rec", "c", "2"],
        ["rec", "d"],
    ]
    assert found[2]["env"] == {"K": "3"}
    assert [c["line"] for c in found] == [2, 1, 4, 5]
    done = verify(
        "launches", "x.sh", "--command", "[rf]*", "--args-only", "--format", "json", cwd=tree
    )
    assert ["2"] in [c["argv"] for c in json.loads(done.stdout)["launches"]]


def test_launches_for_people(tree: Path) -> None:
    done = verify("launches", SCRIPT, cwd=tree)
    assert done.stdout.startswith(f"{SCRIPT}:9:1: vllm\n")
    assert "speculation: mtp, 3 draft tokens; real acceptance" in done.stdout


def test_a_value_is_explained_line_by_line(tree: Path) -> None:
    (tree / SCRIPT).write_text(
        "#!/usr/bin/env bash\n"
        "K=3\n"
        'CONFIG="{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":$K}"\n'
        'if [ "${EVAL_ONLY:-}" = true ]; then\n'
        "  exit 0\n"
        "fi\n"
        'vllm serve m --port 80 --speculative-config "$CONFIG"\n'
    )
    done = verify("explain", SCRIPT, cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    for part in (f"{SCRIPT}:7:1", f"{SCRIPT}:2:", f"{SCRIPT}:3:", "when EVAL_ONLY is not", "K=3"):
        assert part in done.stdout
    only = verify("explain", f"{SCRIPT}:2", cwd=tree)
    assert only.returncode == 0
    assert "num_speculative_tokens" in only.stdout and "\n  --port\n" not in only.stdout
    assert verify("explain", f"{SCRIPT}:7", cwd=tree).stdout == done.stdout
    assert verify("explain", f"{SCRIPT}:1", cwd=tree).returncode == 3


def test_forced_acceptance_is_stripped_and_nothing_else(tree: Path) -> None:
    (tree / SCRIPT).write_text(script(pinned("2.49")) + "# caf\xe9\n")
    before = (tree / SCRIPT).read_bytes()
    target = tree / "out.sh"
    done = verify("strip", SCRIPT, "--output", target, cwd=tree)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert target.read_bytes() != before
    assert "synthetic" not in target.read_text()
    assert target.read_text().splitlines()[:11] == before.decode().splitlines()[:11]
    (tree / SCRIPT).write_bytes(target.read_bytes())
    (launch,) = json.loads(verify("launches", SCRIPT, "--format", "json", cwd=tree).stdout)[
        "launches"
    ]
    assert launch["speculation"]["acceptance"]["kind"] == "real"
    assert launch["speculation"]["draft_length"] == 3
    again = verify("strip", SCRIPT, cwd=tree)
    assert again.returncode == 0
    assert again.stdout == target.read_text()


# --- changes -----------------------------------------------------------------------------------


@pytest.fixture
def repository(tree: Path) -> Path:
    git(tree, "init", "-q", "-b", "main")
    (tree / SCRIPT).write_text(script(pinned("2.49")))
    (tree / FOLDER / "dsv4_fp8_h200_vllm_mtp.sh").write_text(script(REAL))
    commit(tree, "base")
    return tree


def test_only_the_change_is_judged(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    (repository / SCRIPT).write_text(script(pinned("2.54")))
    head = commit(repository)
    done = verify("--base", "main", "--format", "json", cwd=repository)
    assert done.returncode == 1, done.stderr
    shown = json.loads(done.stdout)
    assert shown["head"] == head
    failed = [f for f in row(done.stdout)["findings"] if f["status"] == "fail"]
    assert [(f["path"], f["code"]) for f in failed] == [(SCRIPT, "pin_mismatch")]


def test_a_good_change_passes_and_edits_on_disk_do_not_count(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    (repository / SCRIPT).write_text(script(pinned("2.27", 2)))
    commit(repository)
    (repository / SCRIPT).write_text(script(REAL))
    done = verify("--base", "main", cwd=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "uncommitted edits are not part of it" in done.stderr


def test_a_change_cannot_loosen_the_rules_it_is_judged_by(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    (repository / SCRIPT).write_text(script(REAL))
    (repository / "verifier.yaml").write_text("checks: {golden-al: {severity: 'off'}}\n")
    (repository / "golden_al_distribution").mkdir()
    commit(repository)
    assert verify("--base", "main", cwd=repository).returncode == 1


def test_a_bare_repository_and_two_commits_suffice(repository: Path, tmp_path: Path) -> None:
    (repository / SCRIPT).write_text(script(REAL))
    head = commit(repository)
    git(repository, "clone", "-q", "--bare", str(repository), str(tmp_path / "bare.git"))
    bare = tmp_path / "bare.git"
    done = verify("--base", f"{head}~1", "--head", head, "--root", bare, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert not list(bare.glob("benchmarks"))


@pytest.mark.parametrize("revision", ["nosuch", "--output=x", "HEAD:x"])
def test_a_revision_that_is_none_is_said(revision: str, repository: Path) -> None:
    done = verify(f"--base={revision}", cwd=repository)
    assert (done.returncode, done.stdout) == (2, "")
    assert revision in done.stderr


def test_no_repository_is_said(tree: Path) -> None:
    done = verify("--base", "main", cwd=tree)
    assert done.returncode == 2
    assert "not a git repository" in done.stderr
