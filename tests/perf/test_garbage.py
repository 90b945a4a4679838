"""What one file leaves behind: a search for garbage in a tree of scripts costs more than them."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.perf.script import recipe
from verifier.cli import main


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
        left = {type(found).__name__ for found in gc.garbage if type(found).__module__ != "argparse"}
        assert not left & {"Logic", "Machine", "State", "Text", "Condition", "Predicate", "Recorder"}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        capsys.readouterr()
