"""A text that is not known may print anything: what it prints is never known."""

from __future__ import annotations

import pytest

from tests.recipes.trees import MemoryTree
from verifier.shell import Options, evaluate

UNKNOWN = {
    "a shell given a text": 'bash -c "$(curl x)"',
    "a shell that reads its script": "curl x | sh",
    "eval": 'eval "$(curl x)"',
    "source": ". <(curl x)",
    "xargs": "curl x | xargs -n1 echo",
    "xargs with a mark": "curl x | xargs -I{} sh -c {}",
}


@pytest.mark.parametrize("command", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("script", ['rec "$({})"', '{} > out.txt\nrec "$(cat out.txt)"'])
def test_its_output_is_a_hole(command: str, script: str) -> None:
    tree = MemoryTree({"s.sh": script.replace("{}", command, 1) if "{}" in script else script})
    found = evaluate("s.sh", tree, Options(closed=True, watch=lambda name: name == "rec"))
    (last,) = [one for one in found.commands if one.name == "rec"][-1:]
    assert last.argv[1].text.known is None


def test_a_script_from_the_network_is_an_assumption() -> None:
    tree = MemoryTree({"s.sh": "curl -LsSf https://example.org/install.sh | PREFIX=1 sh\nrec\n"})
    found = evaluate("s.sh", tree, Options())
    assert not found.unresolved
    assert "runs what it reads" in found.assumptions[0].text


@pytest.mark.parametrize("command", ['eval "$(curl x)"', ". <(curl x)", 'source "$WHERE/env.sh"'])
def test_a_text_in_this_shell_may_change_any_variable(command: str) -> None:
    script = (
        f'WHERE=$(curl y)\nA=1; B=(2 3); readonly C=4\n{command}\nrec "$A" "${{B[0]}}" "$C" "$1"\n'
    )
    tree = MemoryTree({"s.sh": script})
    found = evaluate("s.sh", tree, Options(closed=True, watch=lambda name: name == "rec"))
    (last,) = found.commands
    assert [word.text.known for word in last.argv] == ["rec", None, None, "4", None]
    assert found.unresolved
