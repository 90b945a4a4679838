"""Real bash with a PATH that holds only a recorder and the modelled tools."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.differential.scripts import LIBRARY

TOOLS = (
    "cat tee head tail tac seq sort uniq paste cut wc rev tr basename dirname sed grep awk expr bc "
    "env nohup timeout nice xargs bash rm mv cp ln mkdir touch chmod sleep"
).split()
SECONDS = 4
OUTPUT_LIMIT = 200_000


class Bash:
    """A private folder in which scripts run, one after the other."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="differential-"))
        self.bin = self.home / "bin"
        self.bin.mkdir()
        self.log = self.home / "log"
        self.work = self.home / "work"
        self.messages = self.home / "messages"
        self.surprised = False
        """Whether the last script met a missing file or command, which the evaluator takes to be
        there under `set -e`."""
        for tool in TOOLS:
            found = shutil.which(tool, path="/usr/bin:/bin")
            if found is not None:
                (self.bin / tool).symlink_to(found)
        recorder = self.bin / "rec"
        recorder.write_text(
            f"#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >> '{self.log}'\n", encoding="utf-8"
        )
        recorder.chmod(0o755)

    def close(self) -> None:
        shutil.rmtree(self.home, ignore_errors=True)

    def environment(self, inputs: Mapping[str, str]) -> dict[str, str]:
        return {"PATH": str(self.bin), "LC_ALL": "C.UTF-8", **inputs}

    def run(self, script: str, inputs: Mapping[str, str]) -> list[list[str]] | None:
        """The arguments of each `rec`, in order; None when the script did not end in time."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        (self.work / "main.sh").write_text(script, encoding="utf-8", errors="surrogateescape")
        (self.work / "lib.sh").write_text(LIBRARY, encoding="utf-8")
        self.log.write_bytes(b"")
        with self.messages.open("wb") as messages:
            process = subprocess.Popen(
                ["/bin/bash", "main.sh"],
                cwd=self.work,
                env=self.environment(inputs),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                start_new_session=True,
            )
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        said = self.messages.read_bytes()
        surprises = (b"No such file or directory", b"command not found", b"no match: ")
        self.surprised = any(surprise in said for surprise in surprises)
        return self._logged()

    def _logged(self) -> list[list[str]]:
        fields = self.log.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
        commands: list[list[str]] = []
        position = 0
        while position < len(fields):
            count = int(fields[position])
            commands.append(fields[position + 1 : position + 1 + count])
            position += 1 + count
        return commands
