"""What one file leaves behind: a search for garbage in a tree of scripts costs more than them."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.perf.script import recipe
from verifier.cli import main
from verifier.shell.nodes import Source


def test_a_file_leaves_no_cycles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Conditions and diagrams are freed as soon as the file is judged."""
    script = tmp_path / "benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
    script.parent.mkdir(parents=True)
    script.write_text(recipe())
    main([str(script)])  # what is kept for all files
    gc.collect()
    gc.disable()
    try:
        main([str(script)])
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = {
            type(found).__name__ for found in gc.garbage if type(found).__module__ != "argparse"
        }
        assert not left & {
            "Logic",
            "Machine",
            "State",
            "Text",
            "Condition",
            "Predicate",
            "Recorder",
        }
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        capsys.readouterr()


def test_texts_of_judged_files_are_let_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many files a tree has, few of their texts are held."""
    folder = tmp_path / "benchmarks/single_node/agentic"
    folder.mkdir(parents=True)
    for number in range(60):
        (folder / f"m{number}_fp4_b200_vllm.sh").write_text(f"A=$B\nvllm serve m{number} $A\n")
    main(["--jobs", "1", str(tmp_path)])
    capsys.readouterr()
    gc.collect()
    held = [one for one in gc.get_objects() if type(one) is Source and "fp4_b200" in one.path]
    assert len(held) <= 40
