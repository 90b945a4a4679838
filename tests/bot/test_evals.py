"""Artifacts of evaluation runs: what is read, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.signoff.evals import ArtifactError, Results, read_archive


def archive(files: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as out:
        for name, content in files.items():
            data = content if isinstance(content, (bytes, str)) else json.dumps(content)
            out.writestr(name, data)
    return stream.getvalue()


def read(files: dict[str, Any]) -> Results:
    return read_archive(archive(files), 50, "eval_x")


LM_EVAL = {
    "lm_eval_version": "0.4.12",
    "results": {"gsm8k": {"exact_match,strict-match": 0.9512, "exact_match,flexible-extract": 1}},
    "configs": {
        "gsm8k": {
            "metric_list": [{"metric": "exact_match"}],
            "filter_list": [{"name": "strict-match"}, {"name": "flexible-extract"}],
        }
    },
}
META = {"infmax_model_prefix": "dsv4", "hw": "b200", "framework": "vllm", "conc": 8}


def test_rows_of_the_aggregate() -> None:
    rows = [{"model_prefix": "dsv4", "task": "gsm8k", "score": 0.951, "hw": "B200", "conc": 8}]
    [score] = read({"agg_eval_all.json": rows}).scores
    assert (score.task, score.score, score.model_prefix) == ("gsm8k", Decimal("0.951"), "dsv4")
    assert score.label == "B200 8"


def test_results_of_lm_eval() -> None:
    [score] = read({"meta_env.json": META, "results_2026-07-10.json": LM_EVAL}).scores
    assert (score.score, score.model_prefix) == (Decimal("0.9512"), "dsv4")


def test_the_last_result_of_a_folder_counts() -> None:
    old = {**LM_EVAL, "results": {"gsm8k": {"exact_match,strict-match": 0.1}}}
    results = read(
        {
            "meta_env.json": META,
            "results_2026-07-10T09.json": old,
            "results_2026-07-10T10.json": LM_EVAL,
        }
    )
    assert [score.score for score in results.scores] == [Decimal("0.9512")]


def test_a_batch_has_one_result_for_each_concurrency_and_names_what_is_missing() -> None:
    meta = {**META, "eval_concs": [4, 8, 16], "completed_eval_concs": [4, 8],
            "failed_eval_concs": [16]}  # fmt: skip
    results = read({"a/meta_env.json": meta, "a/results_conc4.json": LM_EVAL,
                    "a/results_conc8.json": LM_EVAL, "a/results_x.json": LM_EVAL})  # fmt: skip
    assert len(results.scores) == 2
    assert [text.partition(": ")[2] for text in results.problems] == [
        "the evaluation failed for concurrency 16",
        "the evaluation is missing for concurrency 16",
    ]


@pytest.mark.parametrize(
    "written", ["NaN", "Infinity", "-Infinity", "true", '"0.99"', "null", "1e999999999", "[]"]
)
def test_what_is_no_finite_number_is_no_score(written: str) -> None:
    text = f'[{{"task": "gsm8k", "score": {written}}}]'
    [score] = read({"agg_eval_all.json": text}).scores
    assert score.score is None or written.startswith("1e")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"../agg_eval_all.json": []}, id="path out of the archive"),
        pytest.param({"a/../../x.json": []}, id="path through a folder"),
        pytest.param({"/etc/agg_eval_all.json": []}, id="absolute path"),
        pytest.param({"C:\\agg_eval_all.json": []}, id="drive"),
        pytest.param({"..\\agg_eval_all.json": []}, id="backslashes"),
        pytest.param({"agg_eval_all.json": "{"}, id="no JSON"),
        pytest.param({"agg_eval_all.json": "[" * 100_000}, id="deep JSON"),
        pytest.param({"agg_eval_all.json": b"\xff\xfe\x00"}, id="no text"),
        pytest.param({"agg_eval_all.json": {}}, id="no list"),
        pytest.param({"agg_eval_all.json": [5]}, id="no row"),
        pytest.param({"agg_eval_all.json": " " * 5_000_000}, id="too large"),
        pytest.param({"sample.jsonl": b"\0" * 300_000_000}, id="bomb"),
        pytest.param({f"{i}.txt": "" for i in range(5001)}, id="too many files"),
    ],
)
def test_hostile_archives_are_refused(files: dict[str, Any]) -> None:
    with pytest.raises(ArtifactError):
        read(files)


def test_a_link_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        link = zipfile.ZipInfo("agg_eval_all.json")
        link.external_attr = 0o120777 << 16
        out.writestr(link, "/etc/passwd")
    with pytest.raises(ArtifactError, match="a link"):
        read_archive(stream.getvalue(), 1, "x")


def test_a_header_that_lies_about_the_size_is_refused() -> None:
    data = archive({"agg_eval_all.json": json.dumps([{"task": "a", "score": 1}])})
    lying = data.replace((27).to_bytes(4, "little"), (5).to_bytes(4, "little"))
    assert lying != data
    with pytest.raises(ArtifactError):
        read_archive(lying, 1, "x")


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    try:
        read_archive(data, 1, "x")
    except ArtifactError:
        pass


@given(st.data())
def test_a_damaged_archive_is_refused_or_read(data: st.DataObject) -> None:
    whole = bytearray(archive({"meta_env.json": META, "results_a.json": LM_EVAL}))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        read_archive(bytes(whole), 1, "x")
    except ArtifactError:
        pass
