"""awk against mawk and gawk."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.real import quick, text
from verifier.model.text import lit
from verifier.shell.commands import Call, NotModelled, run

TOOLS = [tool for tool in ("mawk", "gawk", "original-awk") if shutil.which(tool)][:2]
needs_awk = pytest.mark.skipif(not TOOLS, reason="compares with mawk and gawk")


def modelled(arguments: list[str], given_: str = "") -> tuple[str | None, int | None] | None:
    try:
        result = run(Call((lit("awk"), *map(lit, arguments)), lit(given_)))
    except NotModelled:
        return None
    return result.stdout.known, result.status


def check(arguments: list[str], given_: str = "") -> bool:
    """Compare with the real tools; false when it is not modelled."""
    found = modelled(arguments, given_)
    if found is None:
        return False
    for tool in TOOLS:
        done = subprocess.run(
            [tool, *arguments],
            input=given_.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            check=False,
        )
        assert found == (done.stdout.decode(), done.returncode), (tool, arguments, given_)
    return True


@needs_awk
@pytest.mark.parametrize(
    ("arguments", "given_"),
    [
        (["BEGIN{print (2.49-1)/3}"], ""),
        (["-v", "a=2.5", 'BEGIN { printf "%.4f\\n", (a-1)/3 }'], ""),
        (["BEGIN {printf \"%.2f\", 1 + (30 / 7)}"], ""),
        (["BEGIN {printf \"%d\", 12.9 - 3}"], ""),
        (["{print $NF}"], "a b c\nd e\n\n"),
        (["{print $2}"], "  a b\tc\nd\n"),
        (["-F:", "{print $2}"], "a:b\n:\n"),
        (["-F", "|", "{print $2}"], "a|b\n"),
        (["-F\\t", "{print $2}"], "a b\tc\n"),
        (["-F: ", "/tw/{print $2}"], "tw: 5\nx: 6\n"),
        (["-F=", "$1 == \"b\" {print $2}"], "a=1\nb=2\n"),
        (["{if ($NF > m) m = $NF} END {print m+0}"], "a 3\nb 10\nc 7\n"),
        (["NR==2{print; exit}"], "a\nb\nc\n"),
        (["/b/ {print $1, NR}"], "ab c\nx\nb\n"),
        (["{s+=$1} END{print s, s/NR}"], "1\n2\n4\n"),
        (["-v", "s=10", "-v", "cap=9", "BEGIN { exit !(s > cap) }"], ""),
        (["-v", "s=3", "-v", "cap=9", "BEGIN { exit !(s > cap) }"], ""),
        (["BEGIN{for(i=0;i<3;i++) printf \"%d,\", i; print \"\"}"], ""),
        (["NR == 1 {split($4, address, \"/\"); print address[1]}"], "a b c 1.2.3.4/24\n"),
        (["/^ts,/{if(!h){print;h=1};next} h{print}"], "x\nts,a\n1\nts,a\n2\n"),
        (["BEGIN{x=3; x^=2; print x, -2^2, 2^-1, 7%3, x++ + ++x}"], ""),
        (["{gsub(/a/,\"[&]\"); print; print toupper($0), length}"], "banana\n"),
        (["{sub(/n+/,\"\"); print}"], "bannnana\n"),
        (["{$2=\"z\"; print; print NF}"], "a   b  c\n"),
        (["BEGIN{OFS=\"-\"}{$1=$1}1"], "a   b  c\n"),
        (["!seen[$0]++"], "a\nb\na\n"),
        (["{print $1 > \"/dev/stderr\"; print \"x\" $2 \"y\"}"], "a b\n"),
        (["BEGIN { printf(\"%s %5.2f|%-5s|%05d\\n\", \"a\", 3.14159, \"ab\", 42) }"], ""),
        (["BEGIN{if (3 < 10) print \"n\"; if (\"3\" < \"10\") print \"s\"; else print \"t\"}"], ""),
        (["$1 == \"x\" && $2 >= 5 || $3 ~ /^q/ {print}"], "x 7\ny 1 qa\nz\n"),
        (["BEGIN{print length(\"abc\") substr(\"hello\",2,3); print index(\"abc\",\"c\") ? \"y\" : \"n\"}"], ""),
        (["BEGIN{while(i<3){i++; if(i==2)continue; print i}}"], ""),
        (["BEGIN{print 1e6, 0.1+0.2, 100/3, 1e-7, int(-3.7), 1000000*1000}"], ""),
        (["END{print NR, $0}"], "a\nb\n"),
        (["{n=split($0,a,\",\"); print n, a[n]}"], "1,2,3\n\n"),
        (["BEGIN { a[\"x\"]=1; print (\"x\" in a), (\"y\" in a) }"], ""),
        (["# a comment\nBEGIN {\n  a = 1; # more\n  if (a)\n    print \"yes\"\n  else\n    print \"no\"\n}\n"], ""),
    ],
)  # fmt: skip
def test_usual_programs(arguments: list[str], given_: str) -> None:
    assert check(arguments, given_)


numbers = st.sampled_from(["0", "1", "2", "3", "10", "2.49", "0.5", "1e3", "1e-6", "100000", "7", ".25", "3.30", "65536"])  # fmt: skip
values = st.one_of(numbers, st.sampled_from(["$1", "$2", "$NF", "NF", "NR", "v", "u", '"a"', '"3"', '"3x"', '""', "a[1]", "length($1)", "int($2)", "substr($1,2,1)", 'index($1,"b")']))  # fmt: skip
expressions = st.recursive(
    values,
    lambda inner: st.one_of(
        st.builds(lambda a, o, b: f"{a} {o} {b}", inner, st.sampled_from(["+", "-", "*", "/", "%", "^", "<", "<=", "==", "!=", ">", "&&", "||", ""]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"-{a}", inner),
        st.builds(lambda a: f"!({a})", inner),
        st.builds(lambda a, b, c: f"({a} ? {b} : {c})", inner, inner, inner),
        st.builds(lambda a, b: f"(v = {a}) {b}", inner, inner),
    ),
    max_leaves=4,
)  # fmt: skip
records = st.lists(
    st.lists(st.sampled_from(["a", "ab", "3", "10", "2.5", "x1", "3x", "-4", "1e2", "+5"]), max_size=3).map(" ".join),
    max_size=3,
).map(lambda lines: "".join(line + "\n" for line in lines))  # fmt: skip


@needs_awk
@quick
@given(expressions, records)
def test_expressions_agree(expression: str, given_: str) -> None:
    check(["-v", "v=3", f"{{ print ({expression}) }} END {{ print v u }}"], given_)


@needs_awk
@quick
@given(expressions, records, st.sampled_from(["%d", "%s", "%.3f", "%g", "%5.1f|", "%-6s|", "%06.2f", "%e", "%x", "%+d", "%i"]))  # fmt: skip
def test_printf_agrees(expression: str, given_: str, form: str) -> None:
    check([f'{{ printf "{form}\\n", {expression} }}'.replace(">", "<")], given_)


@needs_awk
@quick
@given(
    st.sampled_from(["a", "^a", "b$", "[ab]+", "a|3", "(ab)+", "x?1", "^[0-9]+$", ".", "a.*b", "[^a]", "\\.", "[[:digit:]]", "^(a|x)"]),
    st.sampled_from(["/{}/", "$1 ~ /{}/", "$2 !~ /{}/ {{ print NR }}", "{{ gsub(/{}/, \"<&>\"); print }}", "{{ n = sub(/{}/, \"_\"); print n, $0 }}", "!/{}/"]),
    records,
)  # fmt: skip
def test_patterns_agree(pattern: str, program: str, given_: str) -> None:
    check([program.format(pattern)], given_)


@pytest.mark.parametrize(
    "program",
    [
        "BEGIN{print 1/0}", "BEGIN{print 011}", "BEGIN{print 0x10}", "BEGIN{print 2147483648}", "BEGIN{while(1);}",
        "BEGIN{while(1){}}", "BEGIN{getline; print}", "BEGIN{print | \"sh\"}", "BEGIN{system(\"ls\")}", "BEGIN{print > \"f\"}",
        "{for (k in a) print k}", "BEGIN{print rand()}", "BEGIN{print ENVIRON[\"X\"]}", "BEGIN{print \"b\" < \"B\"}",
        "BEGIN{x = \"a\"; while (1) x = x x}", "function f() {}", "BEGIN{print length(a) > 1 > 2}", "{print", "BEGIN{print -0}",
        "BEGIN{printf \"%c\", 65}", "BEGIN{printf \"%d %d\", 1}", "/a{2}/", "/(a+)+b/", "BEGIN{print 2**3}", "$1 > 1",
    ],
)  # fmt: skip
def test_what_differs_or_has_effects_is_not_modelled(program: str) -> None:
    assert modelled([program], "0x11\n") is None


def test_holes_are_not_computed_with() -> None:
    for arguments, given_ in (
        ([lit("awk"), text("BEGIN{print <X>}")], lit("")),
        ([lit("awk"), lit("{print $1}")], text("a <X>\n")),
        ([lit("awk"), lit("-v"), text("a=<X>"), lit("BEGIN{print a}")], lit("")),
    ):
        with pytest.raises(NotModelled):
            run(Call(tuple(arguments), given_))


def test_a_program_without_rules_reads_nothing() -> None:
    assert run(Call((lit("awk"), lit("BEGIN{print 1}")), None)).stdout == lit("1\n")


def test_a_file_is_read() -> None:
    call = Call((lit("awk"), lit("{print $1}"), lit("f")), None, {lit("f"): lit("a b\n")}.get)
    assert run(call).stdout == lit("a\n")
