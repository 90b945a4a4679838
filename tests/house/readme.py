"""The README's example and what the program prints about it.

    python -m tests.house.readme

writes both into the README again, after a change of either.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.test_command_line import verify

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
EXAMPLE = "fixtures/example/agentic/dsv4_fp4_b200_vllm_mtp.sh"


def current(text: str) -> str:
    """The README's text with the example and its output as they are now."""
    blocks = {
        "bash": (ROOT / EXAMPLE).read_text(),
        "console": f"$ verify {EXAMPLE}\n{verify(EXAMPLE, cwd=ROOT).stdout}",
    }
    return re.sub(
        r"```(bash|console)\n.*?```",
        lambda match: f"```{match[1]}\n{blocks[match[1]]}```",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    README.write_text(current(README.read_text()))
