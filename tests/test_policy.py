"""Policies: defaults, overrides, and errors that name the place."""

from __future__ import annotations

import pytest

from verifier.model.record import fields
from verifier.policy import DEFAULT, Policy, PolicyError, glob, load_policy, parse_policy
from verifier.policy_sections import Client


def parse(text: str) -> Policy:
    return parse_policy(text, "verifier.yaml")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n"])
def test_an_empty_policy_is_the_default(text: str) -> None:
    assert parse(text) == DEFAULT


def test_a_single_key_keeps_the_others() -> None:
    policy = parse("paths:\n  changelog: CHANGES.yaml\n")
    assert policy.paths.changelog == "CHANGES.yaml"
    assert policy.paths.models == DEFAULT.paths.models
    assert policy.clients == DEFAULT.clients


def test_root_is_a_prefix_of_every_pattern() -> None:
    policy = parse("root: inferencex-e2e\n")
    script = "inferencex-e2e/benchmarks/single_node/agentic/dsv4_fp4_b200_vllm_mtp.sh"
    assert policy.is_script(script)
    assert policy.is_agentic(script)
    assert not policy.is_script(script.removeprefix("inferencex-e2e/"))
    assert policy.place(policy.paths.codeowners) == ".github/CODEOWNERS"


def test_lists_replace_and_mappings_merge() -> None:
    policy = parse(
        "eval_clients: [score]\n"
        "checks:\n  golden-al: {number: 20, severity: warn}\n"
        "engine_versions: {vllm: 0.33}\n"
        "argument_variables: {vllm: [MORE_ARGS]}\n"
    )
    assert policy.eval_clients == ("score",)
    assert policy.check("golden-al").number == 20
    assert policy.check("golden-al").severity == "warn"
    assert policy.check("engine-patch").severity == "block"
    assert policy.engine_versions == {"vllm": "0.33"}
    assert policy.argument_variables["vllm"] == ("MORE_ARGS",)
    assert policy.argument_variables["sglang"] == DEFAULT.argument_variables["sglang"]


@pytest.mark.parametrize("written", ["on", "off", "'on'", '"off"'])
def test_on_and_off_are_words_with_or_without_quotes(written: str) -> None:
    assert parse(f"default_thinking: {written}\n").default_thinking == written.strip("'\"")


def test_severity_off_is_a_word_too() -> None:
    assert parse("checks:\n  golden-al:\n    severity: off\n").check("golden-al").severity == "off"


def test_clients_may_be_a_list_of_names() -> None:
    policy = parse("clients: [run_benchmark_serving, drive]\n")
    assert set(policy.clients) == {"run_benchmark_serving", "drive"}
    assert policy.clients["run_benchmark_serving"].workload == "synthetic"
    assert policy.clients["drive"] == Client()


def test_model_prefixes_in_both_directions() -> None:
    policy = parse("model_prefixes:\n  'acme/*Large*': acme\n  zeta: ['zeta-*', 'Zeta2']\n")
    assert policy.prefix_of_model("acme/My-Large-1") == "acme"
    assert policy.prefix_of_model("zeta2") == "zeta"
    assert policy.prefix_of_model("deepseek-ai/DeepSeek-V4-Pro") == "dsv4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rooot: x\n", "verifier.yaml:1: rooot: unknown key; did you mean 'root'?"),
        ("\npaths:\n  scripts: x\n", "verifier.yaml:3: paths.scripts: unknown key"),
        ("root: [a]\n", "verifier.yaml:1: root: expected text, not a list"),
        ("eval_clients: run_eval\n", "verifier.yaml:1: eval_clients: expected a list, not"),
        ("limits: 3\n", "verifier.yaml:1: limits: expected a mapping"),
        ("default_thinking: maybe\n", "verifier.yaml:1: default_thinking: the text 'maybe' is"),
        ("checks:\n  golden: {}\n", "verifier.yaml:2: checks.golden: unknown check; did"),
        (
            "checks:\n  golden-al: {number: eleven}\n",
            "verifier.yaml:2: checks.golden-al.number: expected a whole number, not the text",
        ),
        ("root: a\nroot: b\n", "verifier.yaml:2: root: duplicate key; the first one is in line 1"),
        ("engine_versions: {vlm: 1}\n", "verifier.yaml:1: engine_versions.vlm: unknown engine"),
        ("acceptance_tolerance: 0.1\n", "verifier.yaml:1: acceptance_tolerance: must be 0 or more"),
        ("root: *x\n", "verifier.yaml:1: not valid YAML"),
        ("- a\n", "verifier.yaml:1: expected a mapping, not a list"),
        ("root:\n", "verifier.yaml:1: root: has no value"),
    ],
)
def test_errors_name_file_line_and_key(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_not_text() -> None:
    with pytest.raises(PolicyError, match="not UTF-8"):
        parse_policy(b"\xff\xfe\x00", "verifier.yaml")


def test_effective_lists_every_key_with_its_source() -> None:
    policy = parse("root: x\nchecks:\n  golden-al:\n    severity: warn\n")
    rows = {key: (value, source) for key, value, source in policy.effective()}
    assert rows["root"] == ("x", "verifier.yaml:1")
    assert rows["checks.golden-al.severity"] == ("warn", "verifier.yaml:4")
    assert rows["checks.golden-al.number"] == (None, "verifier.yaml:3")
    assert rows["paths.models"] == ("MODELS.md", "default")
    for item in fields(Policy):
        if item.name != "sources":
            assert any(key.split(".")[0] == item.name for key in rows), item.name


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("a/*.sh", "a/b.sh", True),
        ("a/*.sh", "a/c/b.sh", False),
        ("a/**/*.sh", "a/b.sh", True),
        ("a/**/*.sh", "a/c/d/b.sh", True),
        ("**/agentic/**", "agentic/x.sh", True),
        ("**/agentic/**", "x/agentic/y/z.sh", True),
        ("**/agentic/**", "x/agentic_srt.sh", False),
        ("*deepseek-v4*", "deepseek-ai/deepseek-v4-pro", True),
        ("a/?.sh", "a/b.sh", True),
        ("a.sh", "aXsh", False),
    ],
)
def test_globs(pattern: str, path: str, matches: bool) -> None:
    assert (glob(pattern).fullmatch(path) is not None) is matches


class _Tree:
    name = "tree"

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def is_dir(self, path: str) -> bool:
        return any(f.startswith(f"{path}/") for f in self._files)

    def files(self, folder: str = "") -> tuple[str, ...]:
        return tuple(sorted(f for f in self._files if f.startswith(f"{folder}/")))


def test_load_reads_the_tree_and_refuses_a_missing_file() -> None:
    assert load_policy(_Tree({})) == DEFAULT
    assert load_policy(_Tree({"verifier.yaml": b"root: z\n"})).root == "z"
    with pytest.raises(PolicyError, match=r"mine\.yaml:1: there is no such file"):
        load_policy(_Tree({}), "mine.yaml")
