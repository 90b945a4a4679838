"""Commands that run another command: env, exec, nohup, timeout, srun, mpirun, docker run, …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.model.text import Text, Word


class Inner(NamedTuple):
    """The command inside a wrapper.

    `words` is its argv. `assignments` are set in its environment before it runs (in order);
    `removed` are taken out; `clean` means it starts from an empty one (`env -i`). `script` is
    the text of `bash -c text`, whose `words` are then `$0 $1 …`; `script_file` the file of
    `bash file …` (words as for `-c`). `shell_options` are the options given to that shell
    ("errexit", "nounset", "pipefail", "xtrace", …). `container`: it runs in another
    environment (docker, podman, srun with a container). `stdin_words`: arguments from standard
    input follow (xargs). `uncertain` is None, or says why this reading may be wrong.
    """

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Text], ...] = ()
    removed: tuple[str, ...] = ()
    clean: bool = False
    script: Text | None = None
    script_file: Text | None = None
    shell_options: tuple[str, ...] = ()
    container: bool = False
    stdin_words: bool = False
    uncertain: str | None = None


def peel(words: Sequence[Word]) -> Inner | None:
    """Take one wrapper off. None when `words[0]` is not a wrapper or runs no command.

    An unknown option makes the result `uncertain`; its `words` are then the best guess that
    starts at a word which does not look like an option, or empty.
    """
    raise NotImplementedError
