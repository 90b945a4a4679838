"""Scripts whose values depend on inputs in the ways recipes do, made from a seed.

The first line lists the inputs as `worlds` reads them.
"""

from __future__ import annotations

from random import Random

_DOMAINS = ("UNSET|true|false", "UNSET|EMPTY|8", "1|2|8", "none|mtp", "UNSET|a|b")
_SCALARS = ("x", "y", "z", "SPEC_LEN")
_ARRAYS = ("args", "SPEC_ARGS")
_WORDS = ("--tp", "8", "a b", "''", "--flag=1", "-e", "2.49", '"{\\"n\\": 3}"')


class Recipe:
    """One script in the making."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.inputs = [f"IN{n}" for n in range(self.random.randint(2, 3))]
        self.functions: list[str] = []
        self.serial = 0

    def text(self) -> str:
        """The script."""
        pick = self.random
        domains = "; ".join(f"{name}={pick.choice(_DOMAINS)}" for name in self.inputs)
        lines = [f"# inputs: {domains}", "args=(); SPEC_ARGS=(); x=1; y=; z=w; SPEC_LEN=3"]
        if pick.random() < 0.2:
            lines.append("set -e")
        for name in ("f", "g"):
            if pick.random() < 0.6:
                body = self.block(2, function=True)
                # The status of `rec` is not known, and whether it matters is not told.
                lines.append(f"{name}() {{\n{body}\nreturn {pick.choice((0, 0, 1))}\n}}")
                self.functions.append(name)
        lines.append(self.block(0, size=pick.randint(4, 9)))
        lines.append('rec end "$x" "$y" "$z" "$SPEC_LEN" "${args[@]}" -- "${SPEC_ARGS[@]}"')
        return "\n".join(lines) + "\n"

    def block(self, depth: int, *, function: bool = False, size: int = 0) -> str:
        count = size or self.random.randint(1, 3)
        return "\n".join(self.statement(depth, function) for _ in range(count))

    def statement(self, depth: int, function: bool) -> str:
        pick = self.random
        if depth and not function and pick.random() < 0.15:
            return f"exit {pick.choice((0, 1))}"
        nesting = (self.branch, self.branch, self.case, self.loop)
        if depth < 3 and pick.random() < 0.45:
            return pick.choice(nesting)(depth, function)
        kinds = [self.assignment, self.element, self.record, self.chain, self.call]
        return pick.choice([*kinds, self.leave] if function else kinds)()

    def value(self) -> str:
        pick = self.random
        name, given = pick.choice(_SCALARS), pick.choice(self.inputs)
        return pick.choice((
            "1", "mtp", "''", f'"${name}"', f'"${given}"', f'"${{{given}:-4}}"', f'"${name}$z"',
            f'"$z-${name}"', f"$(( ${{#{name}}} + 1 ))", f'"${{{name}%w}}"', f"$(echo ${name})",
            f'"${{{name}:-d}}"', f'"${{{given}:+--on}}"', '"${#args[@]}"', '"${args[*]}"',
            f'"{{\\"len\\": ${name}}}"', "$(printf '%s,' \"${SPEC_ARGS[@]}\")", f'" ${name} "',
            "$(cat conf 2>/dev/null)", '"${args[0]-none}"', f'"${{{name}/w/v}}"',
            f'"${{{name}-d}}"', f'"${{{name}+set}}"', f'"${{{name}:=e}}"', f'"${{{given}-n}}"',
            f'"${{{given}:=f}}"',
        ))  # fmt: skip

    def assignment(self) -> str:
        pick = self.random
        name = pick.choice(_SCALARS)
        return pick.choice((
            f"{name}={self.value()}", f"{name}+={self.value()}", f"export {name}={self.value()}",
            f"{name}={self.value()} {pick.choice(_SCALARS)}={self.value()}", f"unset {name}",
            f"printf '%s\\n' {self.value()} > conf", f"echo {self.value()} >> conf",
            f"unset {pick.choice(self.inputs)}", f"{pick.choice(self.inputs)}={self.value()}",
        ))  # fmt: skip

    def element(self) -> str:
        pick = self.random
        name = pick.choice(_ARRAYS)
        words = " ".join(
            pick.choice((pick.choice(_WORDS), self.value())) for _ in range(pick.randint(1, 3))
        )
        return pick.choice((
            f"{name}+=({words})", f"{name}+=({words})", f"{name}=({words})", f"{name}=()",
            f'{name}=("${{{name}[@]:1}}")', f"{name}+=(${pick.choice(_SCALARS)})",
        ))  # fmt: skip

    def record(self) -> str:
        pick = self.random
        self.serial += 1
        words = " ".join(
            pick.choice((
                self.value(), '"${args[@]}"', "${SPEC_ARGS[@]}", f"${pick.choice(_SCALARS)}",
                '"${SPEC_ARGS[@]}"', f"p${pick.choice(_SCALARS)}q", '"${args[@]/--/-}"',
            ))
            for _ in range(pick.randint(1, 3))
        )  # fmt: skip
        return f"rec {self.serial} {words}"

    def test(self) -> str:
        pick = self.random
        given, name = pick.choice(self.inputs), pick.choice(_SCALARS)
        return pick.choice((
            f'[ "${given}" = true ]', f'[[ "${{{given}:-false}}" == "true" ]]', f"[ -n \"${given}\" ]",
            f'[[ ${given} == 8 ]]', f'[ -z "${name}" ]', f'[[ "${name}" == *w* ]]',
            f'[[ -n ${given} && "${name}" != 1 ]]', f"(( ${{{given}:-0}} > 1 )) 2>/dev/null",
            '[ "${#args[@]}" -gt 1 ]', f'[[ "${given}" =~ ^(a|8)$ ]]', f"! [ \"${given}\" = mtp ]",
            f"[[ -v {name} ]]", f'[ -z "${{{name}:-}}" ]', f'[ -n "${{{given}+x}}" ]',
            *(f"{function} a" for function in self.functions),
        ))  # fmt: skip

    def branch(self, depth: int, function: bool) -> str:
        pick = self.random
        text = f"if {self.test()}; then\n{self.block(depth + 1, function=function)}\n"
        if pick.random() < 0.3:
            text += f"elif {self.test()}; then\n{self.block(depth + 1, function=function)}\n"
        if pick.random() < 0.5:
            text += f"else\n{self.block(depth + 1, function=function)}\n"
        return text + "fi"

    def case(self, depth: int, function: bool) -> str:
        pick = self.random
        subject = pick.choice((f'"${pick.choice(self.inputs)}"', f'"${pick.choice(_SCALARS)}"'))
        arms = [
            f"{pattern})\n{self.block(depth + 1, function=function)}\n"
            + pick.choice((";;", ";;", ";&"))
            for pattern in pick.sample(("true", "8|1", "mtp", "'' | none", "a*", "?"), 2)
        ]
        if pick.random() < 0.5:
            arms.append(f"*)\n{self.block(depth + 1, function=function)}\n;;")
        return f"case {subject} in\n" + "\n".join(arms) + "\nesac"

    def loop(self, depth: int, function: bool) -> str:
        pick = self.random
        body = self.block(depth + 1, function=function)
        lists = ['"${args[@]}"', "1 2", '"${SPEC_ARGS[@]}" e']
        # A loop of unknown rounds may end the script, and what follows is told as if it did not.
        words = pick.choice(lists if "exit" in body else [*lists, f"${pick.choice(_SCALARS)}"])
        leave = pick.choice(("", f"{self.test()} && break\n", f"{self.test()} && continue\n"))
        return f'for i in {words}; do\nrec i "$i"\n{leave}{body}\ndone'

    def chain(self) -> str:
        pick = self.random
        then = pick.choice((self.assignment, self.element, self.record))()
        return f"{self.test()} {pick.choice(('&&', '||'))} {then}"

    def call(self) -> str:
        pick = self.random
        if not self.functions:
            return self.record()
        name = pick.choice(self.functions)
        more = pick.choice(("", ' "${args[@]}"'))
        call = f"{name} {self.value()}{more}"
        return pick.choice(
            (call, f"{call} || x=failed", f"z=$({call}; echo o)", f"if {call}; then x=ok; fi")
        )

    def leave(self) -> str:
        pick = self.random
        return pick.choice((
            f"{self.test()} && return {pick.choice((0, 1))}", 'rec "$#" "$@"', 'x="$1"', "local y=l",
            "while [ $# -gt 0 ]; do case $1 in --tp) z=$2; shift;; *) y=$1;; esac; shift; done",
            f"return {pick.choice((0, 1))}", "[ $# -gt 1 ] && shift", f"exit {pick.choice((0, 3))}",
        ))  # fmt: skip


def recipe(seed: int) -> str:
    """The script of a seed."""
    return Recipe(seed).text()
