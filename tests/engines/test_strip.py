"""Forced acceptance goes, everything else stays to the byte, and the proof is a second reading."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.engines.build import POLICY
from verifier.engines import read_launch
from verifier.engines.strip import CannotStrip, strip
from verifier.engines.strip_edits import edits
from verifier.model.launch import Launch


class OneFile:
    """A tree that holds one script."""

    name = "a test"

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, path: str) -> bytes | None:
        return self.text.encode() if path == "a.sh" else None

    def is_dir(self, path: str) -> bool:
        return False

    def files(self, folder: str = "") -> tuple[str, ...]:
        return ("a.sh",)


def relaunch(text: str) -> Sequence[Launch]:
    evaluate = pytest.importorskip("verifier.shell.evaluate").evaluate
    options = pytest.importorskip("verifier.shell.options").Options()
    evaluation = evaluate("a.sh", OneFile(text), options)
    return [x for c in evaluation.commands if (x := read_launch(c, POLICY)) is not None]


def edited(path: str, text: str) -> str:
    out, at = [], 0
    for edit in edits(path, text):
        if edit.start >= at:
            out.append(text[at : edit.start] + edit.text)
            at = edit.end
    return "".join(out) + text[at:]


SGLANG = "sglang serve m --speculative-algo EAGLE --speculative-num-steps 3"
SGLANG += " --speculative-eagle-topk 1\n"
PLAIN = '{"method":"mtp","num_speculative_tokens":3'
SYNTHETIC = ',"rejection_sample_method":"synthetic","synthetic_acceptance_length":2.49}'
BLOCK = ',"rejection_sample_method":"block"}'
ATOM = "python3 -m atom.entrypoints.openai_server --model m --method mtp"
ATOM += " --num-speculative-tokens 3"

FORMAT = '{"method":"%s","num_speculative_tokens":%d'
FORCED_FORMAT = ',"rejection_sample_method":"synthetic","synthetic_acceptance_length":%.2f}'

SCRIPTS = {
    "an argument of printf": (
        (
            f'S=$(printf \\\n  \'{FORMAT}{FORCED_FORMAT}\' \\\n  mtp "3" "$AL")\n'
            'vllm serve m -sc "$S"\n'
        ),
        f'S=$(printf \\\n  \'{FORMAT}{BLOCK}\' \\\n  mtp "3")\nvllm serve m -sc "$S"\n',
    ),
    "printf -v": (
        f"printf -v S -- '{FORMAT}{FORCED_FORMAT}' mtp 3 2.49 # 100%\nvllm serve m -sc \"$S\"\n",
        f"printf -v S -- '{FORMAT}{BLOCK}' mtp 3 # 100%\nvllm serve m -sc \"$S\"\n",
    ),
    "a JSON object": (
        f"vllm serve m -sc '{PLAIN}{SYNTHETIC}' # why\n",
        f"vllm serve m -sc '{PLAIN}{BLOCK}' # why\n",
    ),
    "the length first and spliced": (
        (
            """vllm serve m -sc '{"synthetic_acceptance_length":'"$AL"', """
            """"rejection_sample_method": "synthetic","method":"mtp","""
            """"num_speculative_tokens":3}'\n"""
        ),
        (
            """vllm serve m -sc '{"rejection_sample_method": "block","method":"mtp","""
            """"num_speculative_tokens":3}'\n"""
        ),
    ),
    "escaped quotes and a default": (
        (
            'SC="{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":3,'
            '\\"rejection_sample_method\\":\\"synthetic\\",'
            '\\"synthetic_acceptance_length\\": ${AL:-2.49}}"\nvllm serve m -sc "$SC"\n'
        ),
        (
            'SC="{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":3,'
            '\\"rejection_sample_method\\":\\"block\\"}"\nvllm serve m -sc "$SC"\n'
        ),
    ),
    "rates": (
        (
            f"""vllm serve m -sc '{PLAIN},"synthetic_acceptance_rates":[0.9, 0.5,0.1],"""
            """"rejection_sample_method":"synthetic"}'\n"""
        ),
        f"""vllm serve m -sc '{PLAIN},"rejection_sample_method":"block"}}'\n""",
    ),
    "dotted keys": (
        (
            "vllm serve m -sc.method mtp -sc.num_speculative_tokens 3 "
            "-sc.rejection_sample_method=synthetic -sc.synthetic_acceptance_length 2.5 --port 1\n"
        ),
        (
            "vllm serve m -sc.method mtp -sc.num_speculative_tokens 3 "
            "-sc.rejection_sample_method=block --port 1\n"
        ),
    ),
    "exports": (
        "export SGLANG_SIMULATE_ACC_LEN=2.49 # pin\n"
        "export SGLANG_SIMULATE_ACC_METHOD=match-expected FOO=1\n" + SGLANG,
        "export FOO=1\n" + SGLANG,
    ),
    "prefixes over several lines": (
        "SGLANG_SIMULATE_ACC_LEN=2.49 \\\n  SGLANG_SIMULATE_ACC_METHOD=match-expected \\\n  "
        + SGLANG,
        SGLANG,
    ),
    "the only statements of a branch": (
        'if [ "$EVAL_ONLY" != true ]; then\n  # golden\n  export SGLANG_SIMULATE_ACC_LEN=2.49\n'
        "  export SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token\nfi\n" + SGLANG,
        'if [ "$EVAL_ONLY" != true ]; then\n  # golden\n  :\nfi\n' + SGLANG,
    ),
    "one among other statements": (
        "if true; then\n  X=1\n  export SGLANG_SIMULATE_ACC_LEN=2.49\nfi\n" + SGLANG,
        "if true; then\n  X=1\nfi\n" + SGLANG,
    ),
    "after an and": (
        '[ "$X" ] && export SGLANG_SIMULATE_ACC_LEN="$AL"\n' + SGLANG,
        '[ "$X" ] && :\n' + SGLANG,
    ),
    "an option on a line of its own": (
        f'{ATOM} \\\n  --spec-decode-acceptance-length "$AL" \\\n  --port 80\n',
        f"{ATOM} \\\n  --port 80\n",
    ),
    "an option in an array": (
        f'A=()\nA+=(--spec-decode-acceptance-rate 0.5)\n{ATOM} "${{A[@]}}"\n',
        f'A=()\nA+=()\n{ATOM} "${{A[@]}}"\n',
    ),
    "a comment stays": (
        (
            "# synthetic_acceptance_length: 2.49, SGLANG_SIMULATE_ACC_LEN=2\n"
            f"vllm serve m -sc '{PLAIN}{SYNTHETIC}'\n"
        ),
        (
            "# synthetic_acceptance_length: 2.49, SGLANG_SIMULATE_ACC_LEN=2\n"
            f"vllm serve m -sc '{PLAIN}{BLOCK}'\n"
        ),
    ),
    "nothing to do": (f"vllm serve m -sc '{PLAIN}}}'\n", f"vllm serve m -sc '{PLAIN}}}'\n"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name: str) -> None:
    before, after = SCRIPTS[name]
    assert edited("a.sh", before) == after
    assert strip("a.sh", before, relaunch(before), relaunch) == after
    assert strip("a.sh", after, relaunch(after), relaunch) == after


REFUSED = {
    "the method comes from a variable": (
        (
            "RSM=synthetic\nvllm serve m -sc "
            '"{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":3,'
            '\\"rejection_sample_method\\":\\"$RSM\\",\\"synthetic_acceptance_length\\":2.5}"\n'
        ),
        2,
    ),
    "an unknown variable holds the config": ('vllm serve m -sc "$SC"\n', 1),
    "the variable's name is built": (
        "N=SGLANG_SIMULATE\nexport ${N}_ACC_LEN=2.49\n" + SGLANG,
        None,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, line = REFUSED[name]
    with pytest.raises(CannotStrip) as caught:
        strip("a.sh", text, relaunch(text), relaunch)
    assert line is None or caught.value.line == line


YAML = {
    "a role's environment": (
        (
            "backend:\n  decode_environment:\n    A: 1\n    SGLANG_SIMULATE_ACC_LEN: '2.49'\n"
            '    SGLANG_SIMULATE_ACC_METHOD: "match-expected"\n  x: 1\n'
        ),
        "backend:\n  decode_environment:\n    A: 1\n  x: 1\n",
    ),
    "an environment that becomes empty": (
        "environment:\n  TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS: '1.49'\nname: x\n",
        "environment: {}\nname: x\n",
    ),
    "several lines that were all there is": (
        (
            "decode_environment:\n  SGLANG_SIMULATE_ACC_LEN: 2.49\n"
            "  SGLANG_SIMULATE_ACC_METHOD: match-expected\nname: x\n"
        ),
        "decode_environment: {}\nname: x\n",
    ),
    "JSON text": (
        f"    speculative-config: '{PLAIN}{SYNTHETIC}'\n",
        f"    speculative-config: '{PLAIN}{BLOCK}'\n",
    ),
    "a mapping": (
        (
            "speculative-config:\n  method: mtp\n  rejection_sample_method: synthetic\n"
            "  synthetic_acceptance_length: 2.49\n  num_speculative_tokens: 3\n"
        ),
        (
            "speculative-config:\n  method: mtp\n  rejection_sample_method: block\n"
            "  num_speculative_tokens: 3\n"
        ),
    ),
    "a flow mapping": (
        (
            "sc: {method: mtp, synthetic_acceptance_length: 2.49, "
            "rejection_sample_method: synthetic}\n"
        ),
        "sc: {method: mtp, rejection_sample_method: block}\n",
    ),
    "ATOM's key": (
        "args:\n  method: mtp\n  spec-decode-acceptance-length: 2.49\n",
        "args:\n  method: mtp\n",
    ),
    "a comment stays": (
        "# SGLANG_SIMULATE_ACC_LEN: 2.49\nenvironment:\n  A: 1 # SGLANG_SIMULATE_ACC_LEN: 1\n",
        "# SGLANG_SIMULATE_ACC_LEN: 2.49\nenvironment:\n  A: 1 # SGLANG_SIMULATE_ACC_LEN: 1\n",
    ),
}


@pytest.mark.parametrize("name", YAML)
def test_recipe(name: str) -> None:
    before, after = YAML[name]
    assert edited("r.yaml", before) == after
