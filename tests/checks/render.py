"""`docs/checks.md` and `docs/policy.md`, made from the code and the fixtures.

`python -m tests.checks.render` rewrites both; a test fails when either is stale.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import checks
from tests.checks.trees import FIXTURES
from verifier.model import record
from verifier.model.finding import CheckMeta
from verifier.policy import DEFAULT, Policy

ROOT = Path(__file__).parents[2]
CHECKS = ROOT / "docs" / "checks.md"
POLICY = ROOT / "docs" / "policy.md"
_MOST = 12
"""Elements of a default that are written out."""


def checks_page() -> str:
    """The catalogue: rule, reason, and one case that fails with what is said about it."""
    lines = [
        "# Checks",
        "",
        "Rendered from the checks and their fixtures by `python -m tests.checks.render`.",
        "",
        "A check passes, fails, does not apply, or is unresolved: it could not be decided, which",
        "is never a pass. Numbers and severities are policy (`docs/policy.md`); slugs are stable.",
        "",
        "| N | Slug | Rule |",
        "|---|---|---|",
        *(f"| {m.number} | `{m.slug}` | {m.summary} |" for m in checks.catalogue()),
    ]
    for meta in checks.catalogue():
        lines += ["", f"## {meta.number} {meta.slug}", "", *_wrapped(meta.summary)]
        lines += ["", *_wrapped(f"Why: {meta.rationale}")]
        lines += [*_example(meta), *_cases(meta)]
    return "\n".join(lines) + "\n"


def _folder(meta: CheckMeta) -> Path:
    return FIXTURES / f"check_{meta.number:02}_{meta.slug.replace('-', '_')}"


def _example(meta: CheckMeta) -> Iterator[str]:
    bad = sorted(_folder(meta).glob("bad_*.sh"), key=lambda p: (len(p.read_text()), p.name))
    for script in bad:
        out = script.with_suffix(".out")
        if not script.name.endswith(".base.sh") and out.exists():
            yield from ("", "This fails:", "", "```bash", script.read_text().rstrip(), "```", "")
            yield from ("```", out.read_text().rstrip(), "```")
            return


def _cases(meta: CheckMeta) -> Iterator[str]:
    names = sorted(p.stem for p in _folder(meta).glob("*.sh") if not p.name.endswith(".base.sh"))
    if names:
        yield from ("", f"Cases in `fixtures/{_folder(meta).name}/`:", "")
        yield from (f"* {name.replace('_', ' ')}" for name in names)


def policy_page() -> str:
    """Every key with its default and meaning."""
    lines = [
        "# Policy",
        "",
        "Rendered from the code by `python -m tests.checks.render`.",
        "",
        "`verifier.yaml` at the root of the tree, or `--policy FILE`, overrides single keys. Every",
        "key has a default that fits the InferenceX tree. A mapping is merged key by key (a null",
        "removes an entry), a list replaces the default list. Unknown keys and wrong types are",
        "errors that name file and line. `verify policy` prints the effective policy.",
        "",
        "```yaml",
        "root: inferencex-e2e            # everything lies below this folder",
        "checks:",
        "  golden-al: {number: 11}       # its public number here",
        "  chat-template: {severity: warn}",
        "eval_clients: [run_eval, score_model]",
        "```",
        "",
        "Paths are globs: `**` crosses folders, `*` does not. They lie below `root` unless they",
        "begin with `/`.",
        "",
        "| Key | Default | Meaning |",
        "|---|---|---|",
        *_rows("", DEFAULT),
    ]
    return "\n".join(lines) + "\n"


def _rows(prefix: str, section: object) -> Iterator[str]:
    assert record.is_dataclass(section)
    meanings = _meanings(type(section))
    for item in record.fields(section):
        if isinstance(section, Policy) and item.name == "sources":
            continue
        value = getattr(section, item.name)
        key = f"{prefix}{item.name}"
        meaning = meanings.get(item.name, "")
        if record.is_dataclass(value):
            yield f"| `{key}` | | {_first_line(type(value))} |"
            yield from _rows(f"{key}.", value)
        else:
            yield f"| `{key}` | {_default(value)} | {meaning} |"


def _meanings(kind: type) -> dict[str, str]:
    """The docstring below each field."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")


def _default(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        entries = [f"{k}: {_short(v)}" for k, v in value.items()]
    elif isinstance(value, tuple):
        entries = [_short(v) for v in value]
    else:
        return f"`{value}`" if value != "" else "empty"
    more = ", …" if len(entries) > _MOST else ""
    return ", ".join(f"`{e}`" for e in entries[:_MOST]) + more if entries else "none"


def _short(value: object) -> str:
    if record.is_dataclass(value) and not isinstance(value, type):
        values = (getattr(value, f.name) for f in record.fields(value))
        return " ".join(_short(v) for v in values if v)
    if isinstance(value, tuple):
        return " ".join(_short(v) for v in value)
    return str(value).replace("|", "\\|")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100)


if __name__ == "__main__":
    CHECKS.write_text(checks_page())
    POLICY.write_text(policy_page())
