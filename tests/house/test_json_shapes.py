"""The keys of every JSON document, exactly: what other programs may rely on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.house.test_command_line import ROOT, verify

Schema = Mapping[str, Any]
FIXTURES = ROOT / "fixtures"
GOLDEN = FIXTURES / "check_10_golden_al"


def record(**keys: object) -> Schema:
    """An object with these keys and no others; one that ends in `_` may be absent."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key for key in keys if not key.endswith("_")],
        "properties": {key.removesuffix("_"): value for key, value in keys.items()},
    }


def rows(item: object) -> Schema:
    return {"type": "array", "items": item}


def maybe(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "null"}]}


STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 1}
BOOLEAN: Schema = {"type": "boolean"}
SCHEMA: Schema = {"const": 1}
ATOM: Schema = {
    "anyOf": [
        record(input=STRING, **{"is": maybe(STRING)}),
        record(input=STRING, **{"not": maybe(STRING)}),
        record(test=STRING, line=NUMBER, holds=BOOLEAN),
    ]
}
WHEN = {**rows(rows(ATOM)), "minItems": 1}
PARTS = rows({"anyOf": [STRING, record(unknown=STRING, line=NUMBER)]})
TEXT: Schema = {"anyOf": [STRING, record(parts=PARTS)]}
SPLIT = record(parts=PARTS, splits={"const": True})
WORD: Schema = {
    "anyOf": [
        TEXT,
        record(
            parts=PARTS,
            splits={"const": True},
            alternatives_=rows(rows({"anyOf": [TEXT, SPLIT]})),
        ),
    ]
}
TEXTS: Schema = {"type": "object", "additionalProperties": TEXT}
SPECULATION = record(
    method=maybe(STRING),
    draft_length=maybe({"type": "integer", "minimum": 0}),
    draft_model=maybe(TEXT),
    acceptance=record(
        kind={"enum": ["real", "synthetic", "unknown"]},
        length=maybe({"type": "string", "pattern": r"^\d+(\.\d+)?$"}),
        spelling=maybe(STRING),
        unknown_=STRING,
    ),
    copies_context=maybe(BOOLEAN),
    unknown=rows(STRING),
)
LAUNCH = record(
    path=STRING,
    line=NUMBER,
    column=NUMBER,
    argv=rows(WORD),
    env=TEXTS,
    files=TEXTS,
    when=WHEN,
    engine=maybe({"enum": ["vllm", "sglang", "trtllm", "atom", "tilert"]}),
    role=maybe({"enum": ["prefill", "decode", "aggregated"]}),
    model=maybe(TEXT),
    refused=maybe(STRING),
    speculation=maybe(SPECULATION),
    speculative_settings={"type": "object"},
)
LAUNCHES = record(
    schema=SCHEMA,
    path=STRING,
    launches=rows(LAUNCH),
    assumptions=rows(record(path=STRING, line=NUMBER, text=STRING)),
    unresolved=rows(record(path=STRING, line=NUMBER, reason=STRING)),
)
NOTE = record(path=maybe(STRING), line=maybe(NUMBER), text=STRING, when_=WHEN)
FINDING = record(
    path=maybe(STRING),
    line=maybe(NUMBER),
    column=maybe(NUMBER),
    status={"enum": ["pass", "fail", "na", "unresolved"]},
    code={"type": "string", "pattern": "^[a-z0-9_]+$"},
    message=STRING,
    hint=maybe(STRING),
    when=WHEN,
    related=rows(record(path=maybe(STRING), line=maybe(NUMBER), text=STRING)),
)
VERDICT = record(
    schema=SCHEMA,
    verdict={"enum": ["pass", "rejected", "unresolved"]},
    head=maybe({"type": "string", "pattern": "^[0-9a-f]{40}$"}),
    checks=rows(
        record(
            number={"type": "integer", "minimum": 0},
            slug={"type": "string", "pattern": "^[a-z0-9-]+$"},
            name=STRING,
            status={"enum": ["pass", "fail", "na", "unresolved"]},
            reason={"type": "string", "pattern": r"^[^\n]+$"},
            blocks=BOOLEAN,
            findings=rows(FINDING),
        )
    ),
    assumptions=rows(NOTE),
    unread=rows(NOTE),
)
DECIMAL: Schema = {"type": "string", "pattern": r"^\d\.\d\d$"}
CURVE: Mapping[str, Any] = {
    "name": STRING,
    "path": STRING,
    "model": STRING,
    "modes": {
        "type": "object",
        "propertyNames": {"enum": ["thinking_on", "thinking_off"]},
        "additionalProperties": {
            "type": "object",
            "propertyNames": {"pattern": "^[1-8]$"},
            "additionalProperties": DECIMAL,
        },
    },
}


def document(*arguments: str | Path) -> Any:
    return json.loads(verify(*arguments, "--format", "json", cwd=ROOT).stdout)


@pytest.mark.parametrize(
    "name",
    [
        "good_vllm_eval_branch_case",
        "good_vllm_length_and_pin_by_concurrency",
        "bad_wrong_method_name",
        "bad_sglang_env_command",
        "good_trtllm_config",
        "good_atom_rate_by_awk",
        "good_tilert_exported",
        "unresolved_vllm_extra_arguments_from_the_environment",
        "unresolved_vllm_pin_from_the_environment",
    ],
)
def test_launches(name: str) -> None:
    for extra in ((), ("--command", "*"), ("--closed",)):
        jsonschema.validate(document("launches", GOLDEN / f"{name}.sh", *extra), LAUNCHES)


@pytest.mark.parametrize("path", ["check_09_engine_patch", "check_10_golden_al", "example"])
def test_verdict(path: str) -> None:
    shown = document(FIXTURES / path)
    jsonschema.validate(shown, VERDICT)
    assert shown["verdict"] == "rejected"


def test_the_page_shows_documents_of_these_shapes() -> None:
    page = (ROOT / "docs" / "json.md").read_text()
    verdict, launches = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    jsonschema.validate(json.loads(verdict), VERDICT)
    jsonschema.validate(json.loads(launches), LAUNCHES)


def test_golden() -> None:
    jsonschema.validate(document("golden", "show", "dsv4_mtp"), record(schema=SCHEMA, **CURVE))
    jsonschema.validate(
        document("golden", "list"), record(schema=SCHEMA, curves=rows(record(**CURVE)))
    )
    lookup = record(
        schema=SCHEMA,
        value=maybe(DECIMAL),
        curve=maybe(STRING),
        mode=maybe(STRING),
        draft_length=NUMBER,
        path=maybe(STRING),
        line=maybe(NUMBER),
        code=maybe(STRING),
        problem=maybe(STRING),
        candidates=rows(STRING),
        note=maybe(STRING),
    )
    jsonschema.validate(document("golden", "lookup", "dsv4", "mtp", "3"), lookup)
    jsonschema.validate(document("golden", "lookup", "dsv4", "mtp", "9"), lookup)


def test_catalogue_and_policy() -> None:
    check = record(
        number={"type": "integer"},
        slug=STRING,
        name=STRING,
        summary=STRING,
        rationale=STRING,
        links=rows(STRING),
    )
    jsonschema.validate(document("checks"), record(schema=SCHEMA, checks=rows(check)))
    value = record(value=True, source=STRING)
    policy = {"type": "object", "additionalProperties": value}
    jsonschema.validate(document("policy"), record(schema=SCHEMA, policy=policy))
