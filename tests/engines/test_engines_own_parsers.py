"""Our reading against the engines' own parsers, where their packages can be imported.

Install `vllm` or `sglang` beside the tests to run these; without them they are skipped.
"""

from __future__ import annotations

import contextlib
import io
import json
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.build import launch

WORDS = st.one_of(
    st.tuples(
        st.sampled_from(["--speculative-config", "--speculative_config", "-sc", "--speculative-c"]),
        st.sampled_from(
            [
                '{"method":"mtp","num_speculative_tokens":3}',
                '{"method":"ngram","num-speculative-tokens":2}',
                "null",
                "None",
                "{bad",
                '{"n":1,"n":2}',
            ]
        ),
    ),
    st.tuples(
        st.builds(
            str.__add__,
            st.sampled_from(["--speculative-config", "-sc", "--speculative_config"]),
            st.sampled_from([".method", ".num_speculative_tokens", ".a.b", ".k+"]),
        ),
        st.sampled_from(["3", "1k", "2.5K", "true", "a,b", "-0.5", '"q"', "1_0"]),
    ),
    st.sampled_from(
        [
            ("-tp", "8"),
            ("--tensor_parallel_size=2",),
            ("--enable-expert-parallel",),
            ("-ep",),
            ("--no-enable-expert-parallel",),
            ("--spec-method", "ngram"),
            ("--spec", "x"),
            ("--port", "80a"),
            ("extra",),
        ]
    ),
)
STEPS = st.one_of(
    st.tuples(
        st.sampled_from(
            [
                "--speculative-algorithm",
                "--speculative-algo",
                "--speculative-num-steps",
                "--speculative-num",
                "--speculative-eagle-topk",
                "--speculative_num_steps",
                "--speculative-draft",
            ]
        ),
        st.sampled_from(["EAGLE", "3", " 3 ", "1k", "", "1_0"]),
    ),
    st.sampled_from(
        [("--tp", "4"), ("--ep", "2"), ("--pp", "2"), ("--trust-remote-code",), ("extra",)]
    ),
)


def plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def parse(parser: Any, args: list[str]) -> Any:
    """The namespace, or None when the parser refuses."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return parser.parse_args(args)
        except (SystemExit, Exception):
            return None


@pytest.fixture(scope="module")
def vllm_parser() -> Any:
    pytest.importorskip("vllm", reason="vllm is not installed: its parser is not compared")
    flexible = import_module("vllm.utils.argparse_utils").FlexibleArgumentParser
    for name in ("vllm.entrypoints.common.cli_args", "vllm.entrypoints.openai.cli_args"):
        with contextlib.suppress(ImportError):
            make = import_module(name).make_arg_parser
            top = flexible(prog="vllm")
            make(top.add_subparsers(dest="subparser").add_parser("serve"))
            return top
    pytest.skip("this vllm has no make_arg_parser where it is looked for")


@pytest.fixture(scope="module")
def sglang_parser() -> Any:
    pytest.importorskip("sglang", reason="sglang is not installed: its parser is not compared")
    import argparse

    parser = argparse.ArgumentParser()
    import_module("sglang.srt.server_args").ServerArgs.add_cli_args(parser)
    return parser


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=4))
def test_vllm(vllm_parser: Any, parts: list[tuple[str, ...]]) -> None:
    args = ["m", *(word for part in parts for word in part)]
    theirs = parse(vllm_parser, ["serve", *args])
    ours = launch("vllm", "serve", *args)
    if theirs is None:
        assert ours.refused is not None
        return
    config = theirs.speculative_config
    if theirs.spec_method is not None and not (config or {}).get("method"):
        config = {**(config or {}), "method": theirs.spec_method}
    expected = {key.replace("-", "_"): value for key, value in (config or {}).items()}
    assert json.dumps(plain(dict(ours.speculative_settings)), sort_keys=True) == json.dumps(
        expected, sort_keys=True
    )
    tensor = ours.parallelism.get("tensor")
    assert (1 if tensor is None else tensor.value) == theirs.tensor_parallel_size


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=4))
def test_sglang(sglang_parser: Any, parts: list[tuple[str, ...]]) -> None:
    args = ["--model-path", "m", *(word for part in parts for word in part)]
    theirs = parse(sglang_parser, args)
    ours = launch("python3", "-m", "sglang.launch_server", *args)
    if theirs is None:
        assert ours.refused is not None
        return
    for dest in ("speculative_algorithm", "speculative_num_steps", "speculative_eagle_topk"):
        assert ours.speculative_settings.get(dest) == getattr(theirs, dest)
    tensor = ours.parallelism.get("tensor")
    assert (1 if tensor is None else tensor.value) == theirs.tp_size
