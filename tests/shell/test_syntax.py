"""What the parser makes of scripts."""
# ruff: noqa: ISC004 (a table of texts and nodes)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.tree_sitter_words import cross_check
from verifier.shell import syntax
from verifier.shell.nodes import Bad, Function, Simple, Source, values
from verifier.shell.syntax import parse

ROOT = Path(__file__).parents[2]


def brief(node: object) -> str:
    """A node as text: quoted literals in '…', plain ones bare, fields that are unset left out."""
    if isinstance(node, tuple):
        return "(" + " ".join(brief(item) for item in node) + ")"
    if callable(node):
        return brief(node())
    names = getattr(type(node), "__match_args__", None)
    if names is None:
        return str(node)
    name = type(node).__name__
    fields: dict[str, Any] = dict(zip(names, values(node), strict=True))
    if name == "Literal":
        return f"'{fields['value']}'" if fields["quoted"] else fields["value"]
    if name == "Word":
        return "+".join(brief(part) for part in fields["parts"]) or "EMPTY"
    if name == "Script":
        return "; ".join(brief(command) for command in fields["commands"])
    if name == "Simple":
        items = [*fields["assignments"], *fields["words"], *fields["redirects"]]
        return " ".join(brief(item) for item in items)
    shown = [
        f"{key}={brief(value)}"
        for key, value in fields.items()
        if key not in ("start", "end") and value not in (None, "", (), False)
    ]
    return f"{name}({', '.join(shown)})"


def read(text: str, *, extglob: bool = False) -> str:
    return brief(parse(Source("s", text), extglob=extglob))


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("a b\\ c 'd e'\"f\"", "a b+' '+c 'd e'+DoubleQuoted(parts=('f'))"),
        ("a \\ \nb", "a ' '; b"),
        ("a \\\n# c\n--b", "a; --b"),
        ("a b\\\nc", "a bc"),
        ("a #b c#d", "a"),
        ("a c#d # e", "a c#d"),
        ("ls $A/$B/x", "ls Parameter(name=A)+/+Parameter(name=B)+/x"),
        ("A=(x y) B+=z", "Assignment(name=A, value=ArrayValue(elements=(ArrayElement(value=x)"
         " ArrayElement(value=y)))) Assignment(name=B, append=True, value=z)"),
        ("M[a b]+=1", "Assignment(name=M, subscript=a b, append=True, value=1)"),
        ("declare -A M=([k]=v)", "declare -A Assignment(name=M, value=ArrayValue(elements=("
         "ArrayElement(subscript=k, value=v))))"),
        ("declare m[$a]=x m[a b]=1", "declare Assignment(name=m, subscript=Parameter(name=a),"
         " value=x) m[a b]=1"),
        ("builtin declare a=b", "builtin declare a=b"),
        ("K=$((A+1))", "Assignment(name=K, value=ArithmeticSubstitution(expression='A+1'))"),
        ("echo $( (a) )", "echo CommandSubstitution(script=Subshell(body=a))"),
        ("echo $((a) | b)", "echo CommandSubstitution(script=Pipeline(commands=(Subshell(body=a)"
         " b), merged=(False)))"),
        ("((X = 1 << 2))", "Arithmetic(expression='X = 1 << 2')"),
        ("((a); b)", "Subshell(body=Subshell(body=a); b)"),
        ("echo item[]=1", "echo item[]=1"),
        ('S=\'{"m": "\'"$M"\'"}\'', "Assignment(name=S, value='{\"m\": \"'+DoubleQuoted(parts=("
         "Parameter(name=M)))+'\"}')"),
        ("srv `#c` --a 1", "srv CommandSubstitution(script=) --a 1"),
        ("X=$(echo a # it's\n)", "Assignment(name=X, value=CommandSubstitution(script=echo a))"),
        ("cat <<A <<B\na\nA\nb\nB\nc", "cat Redirect(operator=<<, target=HereDocument(body='a\n'))"
         " Redirect(operator=<<, target=HereDocument(body='b\n')); c"),
        ("cat <<'E'; echo d\n$x\nE", "cat Redirect(operator=<<, target=HereDocument(body='$x\n',"
         " quoted=True)); echo d"),
        ("<<E cat\nx\nE", "cat Redirect(operator=<<, target=HereDocument(body='x\n'))"),
        ("cat <<-E\n\ta$x\n  E\n\tE\nb", "cat Redirect(operator=<<-, target=HereDocument(body='a'"
         "+Parameter(name=x)+'\n  E\n')); b"),
        ("cat <<E\n$((1+2))\\$a \\b\nE", "cat Redirect(operator=<<, target=HereDocument(body="
         "ArithmeticSubstitution(expression='1+2')+'$a \\b\n'))"),
        ('cat <<E "x\ny"\nb\nE\nc', "cat DoubleQuoted(parts=('x\ny')) Redirect(operator=<<, target"
         "=HereDocument(body='b\n')); c"),
        ("x=$(cat <<E\na\nE)", "Assignment(name=x, value=CommandSubstitution(script=cat Redirect("
         "operator=<<, target=HereDocument(body='a\n'))))"),
        ("cat <<E\na\\\nE\nb\nE", "cat Redirect(operator=<<, target=HereDocument(body='aE\nb\n'))"),
        ("cat <<E\n--speculative-config x\nE", "cat Redirect(operator=<<, target=HereDocument(body="
         "'--speculative-config x\n'))"),
        ("cat > o <<< hi", "cat Redirect(operator=>, target=o) Redirect(operator=<<<, target=hi)"),
        ("a {fd}>x 2>&1 &>>y", "a Redirect(descriptor=fd, operator=>, target=x) Redirect("
         "descriptor=2, operator=>&, target=1) Redirect(operator=&>>, target=y)"),
        ("a <(b) 2x>c", "a ProcessSubstitution(direction=<, script=b) 2x Redirect(operator=>,"
         " target=c)"),
        ('H="${H:-A|B|C}"', "Assignment(name=H, value=DoubleQuoted(parts=(Parameter(name=H,"
         " operator=:-, argument='A|B|C'))))"),
        ('S="${S:-{\\"k\\":1}}"', "Assignment(name=S, value=DoubleQuoted(parts=(Parameter(name=S,"
         " operator=:-, argument='{'+'\"'+'k'+'\"'+':1') '}')))"),
        ("a \"${x:-'b'}\" \"${x#'b'}\"", "a DoubleQuoted(parts=(Parameter(name=x, operator=:-,"
         " argument='''+'b'+'''))) DoubleQuoted(parts=(Parameter(name=x, operator=#,"
         " argument='b')))"),
        ('a "${x:-"b\\c"}" "${x:-b\\}}"', "a DoubleQuoted(parts=(Parameter(name=x, operator=:-,"
         " argument='b'+'c'))) DoubleQuoted(parts=(Parameter(name=x, operator=:-, argument='b'+'}')))"),
        ("a ${K:0:A?1:2}", "a Parameter(name=K, operator=:, argument='0', argument2='A'+'?'+'1'+':'"
         "+'2')"),
        ("a ${x//[/]/_}", "a Parameter(name=x, operator=//, argument=[, argument2=]/_)"),
        ("a ${x/#b/c} ${x/\\//}", "a Parameter(name=x, operator=/#, argument=b, argument2=c)"
         " Parameter(name=x, operator=/, argument='/', argument2=EMPTY)"),
        ("a ${#x} ${#x[@]} ${#} ${##}", "a Parameter(name=x, length=True) Parameter(name=x,"
         " subscript=@, length=True) Parameter(name=#) Parameter(name=#, length=True)"),
        ("a ${!x} ${!x@} ${!x[@]} ${!}", "a Parameter(name=x, indirect=True) Parameter(name=x,"
         " indirect=True, prefix=@) Parameter(name=x, subscript=@, indirect=True) Parameter(name=!)"),
        ("a ${x[@]@Q} ${@:2} ${x b}", "a Parameter(name=x, subscript=@, operator=@Q) Parameter("
         "name=@, operator=:, argument='2') BadPart(reason=${x b}: bad substitution)"),
        ('echo "${m[$a $b]}"', "echo DoubleQuoted(parts=(Parameter(name=m, subscript="
         "Parameter(name=a)+ +Parameter(name=b))))"),
        ('a "`b \\"c\\"`" `d \\`e\\``', "a DoubleQuoted(parts=(CommandSubstitution(script=b"
         " DoubleQuoted(parts=('c'))))) CommandSubstitution(script=d CommandSubstitution(script=e))"),
        ('[[ $T = *"A B"* ]]', "Conditional(expression=CondBinary(operator==, left=Parameter(name=T)"
         ", right=*+DoubleQuoted(parts=('A B'))+*))"),
        ("[[ a || ! b && -f c ]]", "Conditional(expression=CondLogic(operator=||, left=CondUnary("
         "operand=a), right=CondLogic(operator=&&, left=CondNot(operand=CondUnary(operand=b)),"
         " right=CondUnary(operator=-f, operand=c))))"),
        ('[[ a =~ ^(b c|"d")\\.$ ]]', "Conditional(expression=CondBinary(operator==~, left=a, right="
         "^(b c|+DoubleQuoted(parts=('d'))+)+'.'+$))"),
        ("case $1 in\n -a) :;;\n b|c) d;& (*) e\nesac", "Case(word=Parameter(name=1), clauses=("
         "CaseClause(patterns=(-a), body=:, terminator=;;) CaseClause(patterns=(b c), body=d,"
         " terminator=;&) CaseClause(patterns=(*), body=e, terminator=;;)))"),
        ("for ((i=0;;i++)) { a; }", "ForArithmetic(init='i=0', step='i++', body=a)"),
        ("for x; do a; done", "For(name=x, body=a)"),
        ("select x in a b; do :; done >o", "For(name=x, words=(a b), body=:, select=True, redirects="
         "(Redirect(operator=>, target=o)))"),
        ("f() { a; } >o", "Function(name=f, body=Group(body=a, redirects=(Redirect(operator=>,"
         " target=o))))"),
        ("function f-1 [[ a ]]", "Function(name=f-1, body=Conditional(expression=CondUnary("
         "operand=a)))"),
        ("if a; then b; elif c; then d; else e; fi", "If(branches=((a b) (c d)), otherwise=e)"),
        ("! time -p a |& b &", "Background(command=Pipeline(commands=(a b), merged=(True),"
         " negated=True, timed=True))"),
        ("a && b || c; d", "AndOr(commands=(a b c), operators=(&& ||)); d"),
        ("coproc x { a; }; coproc b c", "Coproc(name=x, command=Group(body=a)); Coproc(name=COPROC,"
         " command=b c)"),
        ("until a; do b; done", "While(condition=a, body=b, until=True)"),
        ("i\\\nf a; then b; fi", "If(branches=((a b)))"),
        ("X\\\nY=1 a &\\\n& $\\\nb", "AndOr(commands=(Assignment(name=XY, value=1) a"
         " Parameter(name=b)), operators=(&&))"),
        ("echo {a,b} {", "echo {a,b} {"),
        ("shopt -s extglob\necho @(a|b)c", "shopt -s extglob; echo @(a|b)c"),
        ("a\r\nb", "a\r; b"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\\", "a"),
    ],
)  # fmt: skip
def test_nodes(text: str, nodes: str) -> None:
    assert read(text) == nodes


@pytest.mark.parametrize(
    ("text", "before", "reason"),
    [
        ("a\nb; c )\nd", 1, "syntax error near unexpected token `)'"),
        ("a\nif b\nc\nfi\nd", 1, "syntax error near unexpected token `fi'"),
        ("a\nif b; then\nc", 1, "unexpected end of file while looking for matching `fi'"),
        ("a 'b\nc", 0, "unexpected end of file while looking for matching `''"),
        ("echo @(a)", 0, "syntax error near unexpected token `('"),
        ("[[ a b ]]", 0, "conditional binary operator expected"),
        ("x=$(cat <<E)\na\nE", 0, "here-document inside `$( )' ends behind it"),
    ],
)
def test_stops_at_a_syntax_error(text: str, before: int, reason: str) -> None:
    commands = parse(Source("s", text)).commands
    assert len(commands) == before + 1
    bad = commands[-1]
    assert isinstance(bad, Bad)
    assert bad.reason == reason


DEEP = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "( " * DEEP,
        "{ " * DEEP,
        "if " * DEEP,
        "echo " + "$(" * DEEP,
        "echo " + "$((" * DEEP,
        "echo " + '"${a:-' * DEEP,
        "echo " + "${a[" * DEEP,
        "[[ " + "( " * DEEP,
        "[[ " + "! " * DEEP,
        "case x in a) " * DEEP,
        "if a; then " * DEEP + "b" + "; fi" * DEEP,
    ],
)
def test_refuses_deep_nesting(text: str) -> None:
    (bad,) = parse(Source("s", text)).commands
    assert isinstance(bad, Bad)
    assert bad.reason == "nested too deeply"


def test_reads_what_is_nested_a_hundred_times() -> None:
    depth = 100
    text = "if a; then " * depth + "b" + "; fi" * depth
    assert type(parse(Source("s", text)).commands[0]).__name__ == "If"
    text = 'echo "$(echo ' * (depth // 2) + "b" + ')"' * (depth // 2)
    assert type(parse(Source("s", text)).commands[0]).__name__ == "Simple"


@given(st.text())
def test_never_raises(text: str) -> None:
    parse(Source("s", text))


SNIPPETS = st.sampled_from(
    [
        *(
            "if ",
            "then ",
            "fi",
            "case x in ",
            "esac",
            "a) ",
            ";;",
            "for x in ",
            "do ",
            "done",
            "{ ",
        ),
        *("}", "(", ")", "((", "))", "[[ ", " ]]", "$(", "${", "${x:-", "$((", "`", "'", '"', "$'"),
        *(
            "\\",
            "\n",
            " ",
            ";",
            "&",
            "|",
            "<<E\n",
            "<<-'E'\n",
            "E\n",
            "<(",
            ">",
            "a",
            "=",
            "=(",
            "[",
        ),
        *("]", "f() ", "=~ ", "#", "\0", "\t", "!", "time ", "coproc ", "declare ", "é", "\udc80"),
    ]
)


@given(st.lists(SNIPPETS, max_size=30).map("".join))
def test_fragments_never_raise_and_stay_inside_the_text(text: str) -> None:
    for node in parse(Source("s", text)).commands:
        assert 0 <= node.start <= node.end <= len(text) + 1


def test_bodies_of_a_library_are_read_on_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_LARGE", 0)
    body = '  case $1 in a) echo "}" ;; esac # it\'s\n  cat <<E\n}\nE\n  x="$(a "${b:-\'}\'}")"\n'
    text = f"f() {{\n{body}}}\ng() {{\n{{\n  a\n}}\n}}\nf\n"
    script = parse(Source("s", text))
    first, second, call = script.commands
    assert isinstance(first, Function)
    assert isinstance(second, Function)
    monkeypatch.setattr(syntax, "_LARGE", 10**9)
    assert brief(script) == read(text)
    assert first.end == text.index("\ng()")
    assert text[call.start : call.end] == "f"


def test_a_bad_body_of_a_library_is_bad_on_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_LARGE", 0)
    function, _ = parse(Source("s", "f() {\n  fi\n}\ng\n")).commands
    assert isinstance(function, Function)
    assert isinstance(function.body(), Bad)


def test_places_inside_backquotes_and_documents() -> None:
    text = "a `b \\`c\\`` <<-E\n\t\td $(e)\n\tE\n"
    shown = []

    def walk(node: object) -> None:
        if isinstance(node, Simple):
            shown.append(text[node.start])
        for item in values(node):
            walk(item)

    walk(parse(Source("s", text)))
    assert shown == ["a", "b", "c", "e"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "fixtures").rglob("*.sh")), ids=lambda path: path.name
)
def test_another_parser_counts_the_same_words(path: Path) -> None:
    assert cross_check(Source(path.name, path.read_text())) == []
