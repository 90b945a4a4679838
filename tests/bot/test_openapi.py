"""The fake's answers against GitHub's own description of its API, where that is installed.

The npm package `@octokit/openapi` carries it: OCTOKIT_OPENAPI names its folder, or it is found in
`node_modules` of this repository. The fake leaves most fields out, so absent ones are no errors;
those that are there must be known and of the right type.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from tests.bot.test_load import green
from tests.bot.world import SIGNOFF, World, remark
from verifier.signoff.run import run_pr, run_signoff

FOLDERS = (
    os.environ.get("OCTOKIT_OPENAPI"),
    str(Path(__file__).parents[2] / "node_modules/@octokit/openapi"),
)


def description() -> dict[str, Any]:
    for folder in FOLDERS:
        file = Path(folder, "generated/api.github.com.json") if folder else None
        if file is not None and file.is_file():
            data = json.loads(file.read_text())
            assert isinstance(data, dict)
            return data
    pytest.skip("@octokit/openapi is not installed")


def _type(validator: Any, types: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if instance is None and schema.get("nullable"):
        return
    yield from Draft202012Validator.VALIDATORS["type"](validator, types, instance, schema)


def _enum(validator: Any, values: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if instance is None and schema.get("nullable"):
        return
    yield from Draft202012Validator.VALIDATORS["enum"](validator, values, instance, schema)


Partial = extend(
    Draft202012Validator,
    {"required": lambda *_: (), "type": _type, "enum": _enum, "format": lambda *_: ()},
)


def operation(api: dict[str, Any], verb: str, path: str) -> tuple[str, dict[str, Any]]:
    """The most literal template that a path fits."""
    found = []
    for template, verbs in api["paths"].items():
        if verb.lower() not in verbs or template.count("/") != path.count("/"):
            continue
        expression = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(expression, path):
            found.append((template.count("{"), template, verbs[verb.lower()]))
    assert found, f"GitHub has no {verb} {path}"
    return min(found, key=lambda item: item[0])[1:]


def properties(api: dict[str, Any], schema: dict[str, Any]) -> set[str]:
    """Names of an object's fields, or of the objects in a list."""
    if "$ref" in schema:
        target: Any = api
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return properties(api, target)
    names = set(schema.get("properties", ()))
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, ()):
            names |= properties(api, part)
    return names | (properties(api, schema["items"]) if "items" in schema else set())


def test_the_fake_answers_like_github(world: World) -> None:
    api = description()
    green(world)
    world.repo.reviews[7] = [remark(201, SIGNOFF)]
    world.repo.review_comments[7] = [remark(301, SIGNOFF)]
    run_signoff(world.options(event=str(world.event())), world.outside())
    run_pr(world.options(command="pr"), world.outside())
    seen = set()
    for verb, path, status, data in world.fake.answers:
        if path.startswith("/storage/") or status >= 300:
            continue
        template, found = operation(api, verb, path)
        assert str(status) in found["responses"], (verb, template, status)
        content = found["responses"][str(status)].get("content")
        if not content or data is None:
            continue
        schema = content["application/json"]["schema"]
        seen.add((verb, template))
        errors = list(Partial({"components": api["components"], **schema}).iter_errors(data))
        assert not errors, (verb, template, errors[0].message)
        for item in data if isinstance(data, list) else [data]:
            unknown = set(item) - properties(api, schema)
            assert not unknown, (verb, template, unknown)
    assert len(seen) >= 15
