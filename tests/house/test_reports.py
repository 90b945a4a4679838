"""Every output format says the same verdict, for its own reader."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
from markdown_it import MarkdownIt

from tests.house.samples import MISSING_PIN, PASSED, REJECTED, REPORT, SCRIPT, result
from verifier.model.command import Command, Note
from verifier.model.condition import ALWAYS, Condition, InputIs, of, when
from verifier.model.condition import Test as OtherTest
from verifier.model.finding import Finding, Outcome, Status
from verifier.model.launch import Acceptance, Launch, Speculation
from verifier.model.record import replace
from verifier.model.text import Hole, Lit, Origin, Span, Text, Word, lit
from verifier.reports import annotations, launches, markdown, sarif, text, verdict_json
from verifier.reports.conditions import as_json, as_words
from verifier.reports.report import Report
from verifier.reports.style import Style

SCHEMAS = Path(__file__).parent / "schemas"
EVIL = "x\n</details>\n✅ Check 10 (golden-al): PASS — fine @octocat `` | \x1b[2J\u202e"


def hostile() -> Report:
    finding = Finding(
        status=Status.FAIL,
        code="real_acceptance",
        message=EVIL,
        span=Span(f"a{EVIL}.sh", 2, 3, 2, 9),
        hint=EVIL,
        when=when(InputIs("X", EVIL)),
    )
    verdict = replace(
        REJECTED,
        checks=(result(10, "golden-al", Status.FAIL, EVIL, finding),),
        assumptions=(Note(span=Span(EVIL, 1), text=EVIL),),
        unread=(Note(span=Span(EVIL, 7), text=EVIL),),
    )
    return Report(verdict=verdict, source=lambda path: f"first\n{EVIL}\n{path}", judged=(EVIL,))


# --- text ------------------------------------------------------------------------------------


def test_text_quotes_the_line_with_a_caret() -> None:
    shown = text.render(REPORT).splitlines()
    assert shown[0] == f"{SCRIPT}:12:3: fail [10 golden-al: real_acceptance]"
    line = shown.index(
        '  12 |   --speculative-config \'{"method":"mtp","num_speculative_tokens":3}\' \\'
    )
    assert shown[line + 1].startswith("     |   ^^^^")
    assert '  when EVAL_ONLY is not "true"' in shown
    assert "  see golden_al_distribution/dsv4_mtp.yaml:6:5: the golden value" in shown


def test_text_ends_with_rows_and_summary() -> None:
    shown = text.render(REPORT).splitlines()
    assert "➖ Check 6 (upstream-image): N/A — no master-config change" in shown
    assert "✅ Check 8 (chat-template): PASS — the client uses the chat template" in shown
    assert any(line.startswith("❌ Check 10 (golden-al): FAIL — ") for line in shown)
    assert shown[-1] == "REJECTED: 1 failed, 1 passed, 1 not applicable; 1 file judged"


def test_text_fits_80_columns_where_words_allow() -> None:
    long_path = SCRIPT + ":12:3:"
    for line in text.render(REPORT).splitlines():
        assert len(line) <= 80 or line.startswith((long_path, '  "rejection'))


def test_text_is_plain_unless_colour_is_wished() -> None:
    assert "\x1b" not in text.render(REPORT)
    coloured = text.render(REPORT, Style(True))
    assert re.sub(r"\x1b\[\d*m", "", coloured) == text.render(REPORT)


def test_a_long_line_is_cut_around_the_caret() -> None:
    long = "a" * 5000 + "HERE" + "b" * 5000
    finding = replace(MISSING_PIN, span=Span(SCRIPT, 1, 5001, 1, 5005))
    verdict = replace(REJECTED, checks=(result(10, "golden-al", Status.FAIL, "x", finding),))
    shown = text.render(Report(verdict=verdict, source=lambda path: long)).splitlines()
    line = next(i for i, row in enumerate(shown) if "HERE" in row)
    assert len(shown[line]) <= 80
    assert shown[line].index("HERE") == shown[line + 1].index("^^^^")


@pytest.mark.parametrize(
    "span", [Span("", 0, 0), Span(SCRIPT, 0), Span(SCRIPT, 9999, 1), Span(SCRIPT, 12, 999)]
)
def test_a_place_that_is_not_there_is_no_crash(span: Span) -> None:
    finding = replace(MISSING_PIN, span=span)
    verdict = replace(REJECTED, checks=(result(10, "golden-al", Status.FAIL, "x", finding),))
    report = replace(REPORT, verdict=verdict)
    assert text.render(report)
    assert markdown.render(report)
    assert annotations.render(report)
    assert sarif.render(report)
    assert verdict_json.render(report)


def test_hostile_text_cannot_move_the_cursor() -> None:
    shown = text.render(hostile())
    assert "\x1b" not in shown and "\u202e" not in shown
    assert not any(line.startswith("✅") for line in shown.splitlines())


def test_what_was_not_judged_is_shown() -> None:
    verdict = replace(
        PASSED, outcome=Outcome.UNRESOLVED, unread=(Note(span=Span("b.sh", 3), text="is odd"),)
    )
    report = Report(verdict=verdict)
    assert "Not judged\n  b.sh:3:1: is odd" in text.render(report)
    assert "* `b.sh:3`: is odd" in markdown.render(report)
    assert "::error file=b.sh,line=3,title=Not judged::is odd" in annotations.render(report)
    assert json.loads(verdict_json.render(report))["unread"][0]["text"] == "is odd"


# --- JSON ------------------------------------------------------------------------------------


def test_json_has_the_documented_shape() -> None:
    shown = json.loads(verdict_json.render(REPORT))
    assert shown["schema"] == 1
    assert shown["verdict"] == "rejected"
    assert shown["head"] == REJECTED.head
    assert [c["number"] for c in shown["checks"]] == [6, 8, 10]
    assert [c["status"] for c in shown["checks"]] == ["na", "pass", "fail"]
    check = shown["checks"][2]
    assert {"number", "slug", "name", "status", "reason", "findings"} <= set(check)
    assert check["findings"] == [
        {
            "path": SCRIPT,
            "line": 12,
            "column": 3,
            "status": "fail",
            "code": "real_acceptance",
            "message": MISSING_PIN.message,
            "hint": MISSING_PIN.hint,
            "when": [[{"input": "EVAL_ONLY", "not": "true"}]],
            "related": [
                {
                    "path": "golden_al_distribution/dsv4_mtp.yaml",
                    "line": 6,
                    "text": "the golden value",
                }
            ],
        }
    ]
    assert shown["assumptions"] == [
        {"path": SCRIPT, "line": 3, "text": REJECTED.assumptions[0].text}
    ]


def test_json_survives_bytes_that_are_no_text() -> None:
    finding = replace(MISSING_PIN, span=Span("a\udcff.sh", 1), message="\udcfe")
    verdict = replace(REJECTED, checks=(result(10, "golden-al", Status.FAIL, "x", finding),))
    verdict_json.render(Report(verdict=verdict)).encode("ascii")


# --- Markdown --------------------------------------------------------------------------------


def test_comment_has_the_documented_layout() -> None:
    lines = markdown.render(REPORT, signer="octo-cat").splitlines()
    assert lines[0] == "## ❌❌❌ **REJECTED** ❌❌❌"
    assert lines[1].startswith("@octo-cat Check 10 (golden-al) fails: the launch verifies")
    assert lines[2] == ""
    assert lines[3] == "➖ Check 6 (upstream-image): N/A — no master-config change"
    assert lines[4] == "✅ Check 8 (chat-template): PASS — the client uses the chat template"
    assert lines[5].startswith("❌ Check 10 (golden-al): FAIL — the launch verifies")
    assert lines[6] == ""
    body = "\n".join(lines[6:])
    assert body.count("<details>") == body.count("</details>") == 2
    assert "`real_acceptance`" in body and "**未通过**" in body


def test_comment_of_a_pass() -> None:
    lines = markdown.render(Report(verdict=PASSED), signer="octo-cat").splitlines()
    assert lines[0] == "## ✅✅✅ **Verdict: PASS** ✅✅✅"
    assert lines[1] == ""
    assert lines[2].startswith("✅ Check 8 (chat-template): PASS — ")
    assert "@octo-cat" not in "\n".join(lines)


def test_an_undecided_check_is_no_pass() -> None:
    verdict = replace(
        PASSED,
        outcome=Outcome.UNRESOLVED,
        checks=(result(10, "golden-al", Status.UNRESOLVED, "the draft length is not known"),),
    )
    lines = markdown.render(Report(verdict=verdict), signer="octo-cat").splitlines()
    assert lines[0] == "## ❌❌❌ **REJECTED** ❌❌❌"
    assert lines[1] == (
        "@octo-cat Check 10 (golden-al) could not be decided: the draft length is not known"
    )
    assert "❌ Check 10 (golden-al): UNRESOLVED — the draft length is not known" in lines


@pytest.mark.parametrize("login", ["a b", "x@y", "</details>", "", "-a", "a" * 60, "octo\ncat"])
def test_a_malformed_signer_is_not_mentioned(login: str) -> None:
    second = markdown.render(REPORT, signer=login).splitlines()[1]
    assert "@" + login not in second or not login
    assert "Check 10 (golden-al) fails" in markdown.render(REPORT, signer=login)


def test_hostile_text_is_inert_in_the_comment() -> None:
    shown = markdown.render(hostile(), signer="octo-cat")
    assert shown.count("<details>") == shown.count("</details>") == 2
    assert sum(line.startswith("✅") for line in shown.splitlines()) == 0
    inline = [c for t in MarkdownIt().parse(shown) for c in t.children or []]
    assert not any("@octocat" in c.content for c in inline if c.type == "text")
    assert "\x1b" not in shown and "\u202e" not in shown


def test_a_comment_always_fits() -> None:
    finding = replace(MISSING_PIN, message="m" * 1000, related=MISSING_PIN.related * 40)
    findings = tuple(replace(finding, span=Span(SCRIPT, n)) for n in range(1, 500))
    rows = tuple(result(n, f"check-{n}", Status.FAIL, "r" * 9000, *findings) for n in range(14))
    notes = tuple(Note(span=Span(SCRIPT, n), text="t" * 900) for n in range(1, 400))
    verdict = replace(REJECTED, checks=rows, assumptions=notes)
    shown = markdown.render(Report(verdict=verdict), signer="octo-cat")
    assert len(shown) <= markdown.MAX_CHARACTERS
    assert "more findings of this check" in shown
    assert all(f"❌ Check {n} (check-{n}): FAIL" in shown for n in range(14))


# --- GitHub annotations and SARIF ------------------------------------------------------------


def test_annotations_name_file_line_and_check() -> None:
    first = annotations.render(REPORT).splitlines()[0]
    assert first.startswith(f"::error file={SCRIPT},title=Check 10 (golden-al)%3A real_acceptance,")
    assert ",line=12,col=3::" in first
    assert "%0AFix: add " in first


def test_annotations_cannot_be_forged() -> None:
    evil = replace(hostile(), source=lambda path: None)
    commands = [row for row in annotations.render(evil).splitlines() if row.startswith("::")]
    assert len(commands) == 2
    assert all(command.startswith("::error file=") for command in commands)


def test_a_warning_does_not_look_like_an_error() -> None:
    row = result(10, "golden-al", Status.FAIL, "x", MISSING_PIN, blocks=False)
    report = Report(verdict=replace(REJECTED, outcome=Outcome.PASS, checks=(row,)))
    assert annotations.render(report).startswith("::warning ")
    assert json.loads(sarif.render(report))["runs"][0]["results"][0]["level"] == "warning"
    assert "warning (fail)" in text.render(report)


@pytest.mark.parametrize("report", [REPORT, hostile(), Report(verdict=PASSED)])
def test_sarif_follows_its_schema(report: Report) -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-subset.json").read_text())
    shown = json.loads(sarif.render(report))
    jsonschema.validate(shown, schema, format_checker=jsonschema.FormatChecker())


def test_sarif_points_at_the_place() -> None:
    run = json.loads(sarif.render(REPORT))["runs"][0]
    found = run["results"][0]
    assert (
        run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"] == "golden-al"
    )
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == SCRIPT
    assert place["region"] == {"startLine": 12, "startColumn": 3, "endLine": 12, "endColumn": 70}


# --- conditions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "json_form", "words"),
    [
        (ALWAYS, [[]], None),
        (Condition(()), [], "never"),
        (when(InputIs("X", "1")), [[{"input": "X", "is": "1"}]], 'X is "1"'),
        (when(InputIs("X", None)), [[{"input": "X", "is": None}]], "X is unset"),
        (when(InputIs("X", None, False)), [[{"input": "X", "not": None}]], "X is set"),
        (when(InputIs("X", "", False)), [[{"input": "X", "not": ""}]], "X is not empty"),
        (
            of(
                [
                    frozenset(
                        {
                            InputIs("A", "1"),
                            OtherTest("k", "$CONC -gt 4", Span("x.sh", 20), holds=True),
                        }
                    ),
                    frozenset({InputIs("B", "2", False)}),
                ]
            ),
            [
                [{"input": "A", "is": "1"}, {"test": "$CONC -gt 4", "line": 20, "holds": True}],
                [{"input": "B", "not": "2"}],
            ],
            '(A is "1" and `$CONC -gt 4`) or B is not "2"',
        ),
    ],
)
def test_conditions(condition: Condition, json_form: object, words: str | None) -> None:
    assert as_json(condition) == json_form
    assert as_words(condition) == words


def inputs(*atoms: tuple[str, str | None, bool]) -> frozenset[InputIs]:
    return frozenset(InputIs(*atom) for atom in atoms)


SET = (("A", None, False), ("A", "", False))


@pytest.mark.parametrize(
    ("alternatives", "words"),
    [
        ([inputs(*SET)], "A is set and not empty"),
        ([inputs(*SET, ("A", "x", False))], 'A is set, not empty and not "x"'),
        ([inputs(("A", "x", False), ("A", "y", False))], 'A is not "x" or "y"'),
        ([inputs(*SET, ("B", None, False), ("B", "", False))], "A and B are set and not empty"),
        ([inputs(("A", "x", True)), inputs(("A", "y", True))], 'A is "x" or "y"'),
        (
            [inputs(("A", v, True), ("B", w, True)) for v in (None, "") for w in ("1", "2")],
            'A is empty or unset and B is "1" or "2"',
        ),
        (
            [
                inputs(*SET, ("B", "1", True), ("C", "2", True)),
                inputs(*SET, ("B", "1", False), ("D", "2", True)),
            ],
            'A is set and not empty and ((B is "1" and C is "2") or (B is not "1" and D is "2"))',
        ),
        ([inputs(("A", v, True), ("B", v, True)) for v in "12345"], None),
    ],
)
def test_alternatives_are_put_together(
    alternatives: list[frozenset[InputIs]], words: str | None
) -> None:
    found = as_words(Condition(tuple(alternatives)))
    assert found is not None
    assert found == words if words else found.endswith("or 2 more alternatives")


def test_a_long_test_is_cut() -> None:
    found = as_words(when(OtherTest("k", "x" * 500, Span("x.sh", 1))))
    assert found is not None and len(found) < 140


# --- launches --------------------------------------------------------------------------------

MODEL = Text(
    (
        Lit("/mod", Origin(Span("x.sh", 3))),
        Lit("els/"),
        Hole("MODEL is an input", "input:MODEL", Origin(Span("x.sh", 12)), input="MODEL"),
    )
)
COMMAND = Command(
    argv=(Word(lit("vllm")), Word(lit("serve")), Word(MODEL), Word(MODEL, splits=True)),
    span=Span("x.sh", 303, 5),
    env={"SGLANG_SIMULATE_ACC_LEN": lit("2.49"), "M": MODEL},
    files={"ser.yaml": lit("a: 1\n")},
    when=when(InputIs("EVAL_ONLY", "true", False)),
)
LAUNCH = Launch(
    engine="vllm",
    entry="vllm serve",
    command=COMMAND,
    argv=COMMAND.argv,
    model=MODEL,
    speculation=Speculation(
        method="mtp",
        draft_length=3,
        acceptance=Acceptance(
            kind="synthetic", length=Decimal("2.49"), spelling="synthetic_acceptance_length"
        ),
    ),
    speculative_settings={
        "method": "mtp",
        "num_speculative_tokens": 3,
        "synthetic_acceptance_length": Decimal("2.49"),
        "rates": (Decimal("0.5"), Decimal("0.1234567890123456789")),
        "model": MODEL,
        "nested": {"a": None, "b": True},
    },
)
PARTS = ["/models/", {"unknown": "MODEL is an input", "line": 12}]


def test_launches_have_the_documented_shape() -> None:
    listing = launches.Listing(
        path="x.sh",
        launches=(LAUNCH,),
        assumptions=(Note(span=Span("x.sh", 14), text="assumed"),) * 2,
        unresolved=(Note(span=Span("x.sh", 80), text="too long"),),
    )
    shown = json.loads(launches.render_json(listing))
    assert shown["schema"] == 1 and shown["path"] == "x.sh"
    assert shown["assumptions"] == [{"path": "x.sh", "line": 14, "text": "assumed"}]
    assert shown["unresolved"] == [{"path": "x.sh", "line": 80, "reason": "too long"}]
    (launch,) = shown["launches"]
    assert (launch["line"], launch["column"]) == (303, 5)
    assert launch["argv"] == [
        "vllm",
        "serve",
        {"parts": PARTS},
        {"parts": PARTS, "splits": True},
    ]
    assert launch["env"] == {"SGLANG_SIMULATE_ACC_LEN": "2.49", "M": {"parts": PARTS}}
    assert launch["files"] == {"ser.yaml": "a: 1\n"}
    assert launch["when"] == [[{"input": "EVAL_ONLY", "not": "true"}]]
    assert launch["engine"] == "vllm"
    assert launch["role"] is None and launch["refused"] is None
    assert launch["model"] == {"parts": PARTS}
    speculation = launch["speculation"]
    assert speculation["method"] == "mtp" and speculation["draft_length"] == 3
    assert speculation["draft_model"] is None
    assert speculation["acceptance"] == {
        "kind": "synthetic",
        "length": "2.49",
        "spelling": "synthetic_acceptance_length",
    }
    assert launch["speculative_settings"] == {
        "method": "mtp",
        "num_speculative_tokens": 3,
        "synthetic_acceptance_length": 2.49,
        "rates": [0.5, "0.1234567890123456789"],
        "model": {"parts": PARTS},
        "nested": {"a": None, "b": True},
    }


def test_a_plain_command_has_the_same_keys() -> None:
    one = launches.listing_json(launches.Listing(path="x.sh", launches=(LAUNCH,)))
    other = launches.listing_json(
        launches.Listing(path="x.sh", launches=(COMMAND,), args_only=True)
    )
    (server,), (command,) = one["launches"], other["launches"]  # type: ignore[misc]
    assert set(server) == set(command)
    assert command["argv"][0] == "serve"
    assert command["speculation"] is None and command["speculative_settings"] == {}


def test_no_speculation_is_null() -> None:
    plain = replace(LAUNCH, speculation=None, speculative_settings={})
    shown = json.loads(launches.render_json(launches.Listing(path="x.sh", launches=(plain,))))[
        "launches"
    ][0]
    assert shown["speculation"] is None and shown["speculative_settings"] == {}


def test_launches_for_people() -> None:
    shown = launches.render_text(launches.Listing(path="x.sh", launches=(LAUNCH,)))
    assert shown.startswith('x.sh:303:5: vllm\n  when EVAL_ONLY is not "true"\n  vllm serve')
    assert "<MODEL is an input>" in shown
    assert "env SGLANG_SIMULATE_ACC_LEN=2.49" in shown
    assert "mtp, 3 draft tokens; synthetic acceptance 2.49" in shown
    empty = launches.render_text(launches.Listing(path="x.sh", launches=()))
    assert empty == "x.sh: nothing is launched\n"


def test_a_brief_condition_says_what_tells_runs_apart() -> None:
    names = [f"NAME_{n}" for n in range(8)]
    ready = [(n, v, False) for n in names for v in (None, "")]
    checks = [
        inputs(*ready, ("EVAL_ONLY", "true", False), ("OFF", a, True), ("BACKEND", b, True))
        for a, b in (("none", ""), ("dram", "mooncake-store-of-the-cluster"))
    ]
    found = as_words(Condition(tuple(checks)), brief=True)
    assert found is not None and found.startswith('EVAL_ONLY is not "true" and ((BACKEND is')
    assert found.endswith(" (shortened)") and len(found) < 180 and "NAME_1" not in found
    short = when(InputIs("A", "1"))
    assert as_words(short, brief=True) == as_words(short)


@pytest.mark.parametrize(
    "alternatives",
    [
        [inputs(("A", "x", True)), inputs(("A", "x", False))],
        [inputs(*SET), inputs(("A", "", True)), inputs(("A", None, True))],
    ],
)
def test_opposites_say_nothing(alternatives: list[frozenset[InputIs]]) -> None:
    beside = [conjunction | inputs(("B", "1", True)) for conjunction in alternatives]
    assert as_words(Condition(tuple(alternatives))) is None
    assert as_words(Condition(tuple(beside))) == 'B is "1"'


def test_an_alternative_that_says_more_than_another_is_left_out() -> None:
    found = Condition((inputs(("A", "1", True)), inputs(("A", "1", True), ("B", "2", True))))
    assert as_words(found) == 'A is "1"'
