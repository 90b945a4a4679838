"""Evaluation results of a workflow run: artifacts in, scores out.

Shapes are those of SemiAnalysisAI/InferenceX `utils/collect_eval_results.py` (aggregated rows) and
of lm-eval's result files beside a `meta_env.json`. Archives are hostile input: they are read in
memory, never unpacked, and bounded in every dimension.
"""

from __future__ import annotations

import io
import json
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from verifier.model.pull import EvalScore
from verifier.model.record import dataclass, field

MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
MAX_MEMBERS = 5_000
MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_RATIO = 200
MAX_SCORES = 20_000

_AGGREGATE = re.compile(r"agg_eval[^/]*\.json")
_RESULT = re.compile(r"results[^/]*\.json")
_CONC = re.compile(r"_conc(\d+)(?:_\d+)?\.json$")


class ArtifactError(ValueError):
    """An artifact that is no evidence, and why."""


@dataclass(slots=True)
class Results:
    """What an artifact says."""

    scores: list[EvalScore] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_archive(data: bytes, run: int, artifact: str) -> Results:
    """The scores in one artifact. Raises `ArtifactError`."""
    results = Results()
    try:
        documents = _documents(data, artifact)
    except ArtifactError:
        raise
    except Exception as error:
        # The zip reader raises whatever a damaged archive makes it stumble over.
        raise ArtifactError(f"{artifact} is damaged ({type(error).__name__})") from None
    metas = {
        posixpath.dirname(name): document
        for name, document in documents.items()
        if posixpath.basename(name) == "meta_env.json" and isinstance(document, dict)
    }
    for folder, meta in metas.items():
        results.problems.extend(_batch_problems(meta, f"{artifact}/{folder}".rstrip("/")))
    newest = _newest(documents, metas)
    for name, document in documents.items():
        base = posixpath.basename(name)
        if _AGGREGATE.fullmatch(base):
            results.scores.extend(_rows(document, run, artifact, name))
        elif name in newest and isinstance(document, dict):
            meta = metas.get(posixpath.dirname(name), {})
            results.scores.extend(_lm_eval(document, meta, run, artifact, name))
    if len(results.scores) > MAX_SCORES:
        raise ArtifactError(f"{artifact} holds more than {MAX_SCORES:,} scores")
    return results


def _documents(data: bytes, artifact: str) -> dict[str, Any]:
    """Every JSON file of the archive that may hold results."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise ArtifactError(f"{artifact} holds more than {MAX_MEMBERS:,} files")
    found: dict[str, Any] = {}
    total = 0
    for member in members:
        _refuse_member(member, artifact)
        if member.is_dir() or not _wanted(member.filename):
            continue
        total += member.file_size
        if total > MAX_TOTAL_BYTES:
            raise ArtifactError(f"{artifact} unpacks to more than {MAX_TOTAL_BYTES:,} bytes")
        if member.filename in found:
            raise ArtifactError(f"{artifact} holds {member.filename} twice")
        found[member.filename] = _json(archive, member, artifact)
    return found


def _wanted(name: str) -> bool:
    base = posixpath.basename(name)
    return base == "meta_env.json" or bool(_AGGREGATE.fullmatch(base) or _RESULT.fullmatch(base))


def _refuse_member(member: zipfile.ZipInfo, artifact: str) -> None:
    name = member.filename
    parts = re.split(r"[/\\]", name)
    if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise ArtifactError(f"{artifact} holds a path that leads out of it: {name[:80]!r}")
    if member.flag_bits & 0x1:
        raise ArtifactError(f"{artifact} holds an encrypted file")
    if (member.external_attr >> 16) & 0o170000 == 0o120000:
        raise ArtifactError(f"{artifact} holds a link: {name[:80]!r}")
    if _wanted(name) and member.file_size > MAX_FILE_BYTES:
        raise ArtifactError(f"{artifact}: {name} unpacks to {member.file_size:,} bytes")
    packed = max(member.compress_size, 1)
    if member.file_size > 1024 * 1024 and member.file_size / packed > MAX_RATIO:
        raise ArtifactError(f"{artifact} holds a file that is packed more than {MAX_RATIO}-fold")


def _json(archive: zipfile.ZipFile, member: zipfile.ZipInfo, artifact: str) -> Any:
    """The document, read at most up to the limit whatever the header claims."""
    try:
        with archive.open(member) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise ArtifactError(f"{artifact}: {member.filename} is larger than it claims")
        return json.loads(data, parse_float=_Written, parse_constant=_Written)
    except (ValueError, RecursionError):
        raise ArtifactError(f"{artifact}: {member.filename} is not JSON") from None


class _Written(str):
    """A JSON number with a fraction, or NaN, as written."""


def _newest(documents: Mapping[str, Any], metas: Mapping[str, Any]) -> set[str]:
    """Result files that count: the last per folder, or per concurrency of a batch.

    lm-eval's file names end with the time, so the last by name is the newest.
    """
    chosen: dict[tuple[str, str], str] = {}
    for name in sorted(documents):
        base = posixpath.basename(name)
        document = documents[name]
        if not _RESULT.fullmatch(base) or not isinstance(document, dict):
            continue
        if not isinstance(document.get("results"), dict):
            continue
        folder = posixpath.dirname(name)
        batched = isinstance(metas.get(folder, {}).get("eval_concs"), list)
        match = _CONC.search(base)
        if batched and match is None:
            continue
        chosen[folder, match[1] if match and batched else ""] = name
    return set(chosen.values())


def _batch_problems(meta: Mapping[str, Any], where: str) -> Iterator[str]:
    if "eval_concs" not in meta:
        return
    expected, completed, failed = (
        meta.get(name) for name in ("eval_concs", "completed_eval_concs", "failed_eval_concs")
    )
    if not all(isinstance(value, list) for value in (expected, completed, failed)):
        yield f"{where}: the batch does not say which concurrencies it completed"
        return
    assert isinstance(expected, list)
    assert isinstance(completed, list)
    if failed:
        yield f"{where}: the evaluation failed for concurrency {_listed(failed)}"
    missing = [value for value in expected if value not in completed]
    if missing:
        yield f"{where}: the evaluation is missing for concurrency {_listed(missing)}"


def _listed(values: Any) -> str:
    return ", ".join(str(value)[:20] for value in values[:10])


def _rows(document: Any, run: int, artifact: str, file: str) -> Iterator[EvalScore]:
    if not isinstance(document, list):
        raise ArtifactError(f"{artifact}: {file} is no list of rows")
    for row in document:
        if not isinstance(row, dict):
            raise ArtifactError(f"{artifact}: {file} holds a row that is no object")
        written = row.get("score")
        yield EvalScore(
            run=run,
            artifact=artifact,
            file=file,
            task=_text(row.get("task")) or "unknown",
            score=_number(written),
            written=_shown(written),
            model_prefix=_prefix(row.get("model_prefix")),
            image=_text(row.get("image")),
            label=_label(row, "hw", "framework", "precision", "conc"),
        )


def _lm_eval(
    document: Mapping[str, Any], meta: Mapping[str, Any], run: int, artifact: str, file: str
) -> Iterator[EvalScore]:
    configs = document.get("configs")
    for task, values in document["results"].items():
        config = configs.get(task) if isinstance(configs, dict) else None
        written = _primary(
            values if isinstance(values, dict) else {}, config if isinstance(config, dict) else {}
        )
        yield EvalScore(
            run=run,
            artifact=artifact,
            file=file,
            task=str(task),
            score=_number(written),
            written=_shown(written),
            model_prefix=_prefix(meta.get("infmax_model_prefix")),
            image=_text(meta.get("image")),
            label=_label(meta, "hw", "framework", "precision", "conc"),
        )


def _primary(values: Mapping[str, Any], config: Mapping[str, Any]) -> Any:
    """A task's primary score: the strict filter's, the resolved rate, or plain accuracy."""
    metrics = config.get("metric_list")
    first = metrics[0] if isinstance(metrics, list) and metrics else {}
    metric = first.get("metric", "exact_match") if isinstance(first, dict) else "exact_match"
    filters = config.get("filter_list")
    names = [f.get("name") for f in filters if isinstance(f, dict)] if filters else []
    if not names:
        return values.get("acc", values.get(f"{metric}", values.get(f"{metric},none")))
    for name in names:
        if isinstance(name, str) and ("strict" in name or "resolved" in name):
            return values.get(f"{metric},{name}")
    return None


def _number(value: Any) -> Decimal | None:
    """A finite number, or None. Booleans and texts are none."""
    if isinstance(value, _Written) or (isinstance(value, int) and not isinstance(value, bool)):
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            return None
        return number if number.is_finite() else None
    return None


def _shown(value: Any) -> str:
    return "nothing" if value is None else str(value)[:40]


def _text(value: Any) -> str | None:
    return value[:300] if isinstance(value, str) and value else None


def _prefix(value: Any) -> str | None:
    text = _text(value)
    return None if text == "unknown" else text


def _label(row: Mapping[str, Any], *names: str) -> str:
    return " ".join(str(row[name])[:40] for name in names if row.get(name) not in (None, ""))
