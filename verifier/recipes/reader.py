"""A YAML recipe as the facts that checks judge: one per variant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model.command import Command, Note
from verifier.model.context import RecipeFacts
from verifier.model.launch import Launch, Role, Workload
from verifier.model.record import dataclass
from verifier.model.text import Hole, Lit, Origin, Span, Text, Word
from verifier.recipes import srt
from verifier.recipes.benchmark import follow
from verifier.recipes.modes import only_for_evaluation
from verifier.recipes.pins import pin_of_file, pinned
from verifier.recipes.render import render
from verifier.recipes.sweeps import swept
from verifier.recipes.variants import SelectorError, Variant, variants
from verifier.recipes.yaml_marks import YamlMap, YamlScalar, read

if TYPE_CHECKING:
    from verifier.facts import Reading
    from verifier.model.tree import Tree
    from verifier.policy import Policy


_MOST_ROLES = 10
"""Workers come before whatever the client runs; their order numbers are below zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which variant to read and as what."""

    selector: str | None = None
    eval_only: bool | None = None
    """None: found out from the master configs that name the recipe."""
    delete: tuple[str, ...] = ()
    """Lines that hold one of these texts are dropped first."""


def read_facts(
    path: str,
    tree: Tree,
    policy: Policy,
    reading: Reading,
    choice: Choice | None = None,
) -> tuple[RecipeFacts, ...]:
    """Facts of every variant of a recipe. Raises `Unreadable` when there is no such file.

    What cannot be read as a recipe becomes one `RecipeFacts` without launches whose `unresolved`
    says why.
    """
    from verifier.facts import read_text

    choice = choice or Choice()
    text = _edited(read_text(path, tree), choice.delete)
    document = read(text, path)
    notes = tuple(Note(span=p.span, text=p.text) for p in document.problems)
    if not isinstance(document.root, YamlMap):
        if document.root is not None:
            problem = f"a recipe must be a mapping, not {document.root.kind}"
            notes = (*notes, Note(span=document.root.span, text=problem))
        return (_nothing(path, policy, notes),)
    try:
        chosen = variants(document.root, choice.selector)
        found = [one for variant in chosen for one in swept(variant)]
    except SelectorError as error:
        return (_nothing(path, policy, (*notes, Note(span=error.span, text=error.problem))),)
    facts = tuple(_Reader(path, tree, policy, reading, choice).facts(v, notes) for v in found)
    if reading.closed or not any(one.launches for one in facts):
        return facts
    pin = pin_of_file(path, tree, policy)
    return tuple(one if one.eval_only else pinned(one, pin) for one in facts)


def _edited(text: str, delete: tuple[str, ...]) -> str:
    """Without the lines that hold one of the texts; the others keep their numbers."""
    if not delete:
        return text
    lines = text.split("\n")
    return "\n".join("" if any(part in line for part in delete) else line for line in lines)


def _nothing(path: str, policy: Policy, notes: tuple[Note, ...]) -> RecipeFacts:
    agentic = policy.is_agentic(path)
    return RecipeFacts(
        path=path,
        start=notes[0].span if notes else Span(path, 1),
        workload="agentic" if agentic else "unknown",
        workload_reason="the recipe cannot be read",
        model_prefix=None,
        prefix_problem="the recipe cannot be read",
        unresolved=notes,
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    path: str
    tree: Tree
    policy: Policy
    reading: Reading
    choice: Choice

    def facts(self, variant: Variant, notes: tuple[Note, ...]) -> RecipeFacts:
        from verifier import facts as common
        from verifier.facts_thinking import settings_of
        from verifier.facts_workload import Workloads, workload_of

        policy, root = self.policy, variant.root
        layout = srt.layout(root)
        problems = tuple(Note(span=p.span, text=p.text) for p in layout.problems)
        launches, missed = self._launches(root, layout)
        env = self.reading.env or {}
        eval_only = self.choice.eval_only
        if eval_only is None and only_for_evaluation(self.path, self.tree, policy):
            eval_only = True
        followed = follow(root, self.tree, policy, env, self.reading.closed)
        commands = (*(launch.command for launch in launches), *followed.commands)
        clients = tuple(c for c in followed.commands if common.client_of(c, policy) is not None)
        workload, reason = workload_of(
            Workloads(path=self.path, root=common.root_of(self.tree), policy=policy),
            [(c.name or "", found) for c in clients if (found := common.client_of(c, policy))],
            root.mapping("benchmark").mapping("env").string("IS_AGENTIC") or env.get("IS_AGENTIC"),
        )
        if not clients and env.get("IS_AGENTIC") is None:
            workload, reason = _named_workload(root) or (workload, reason)
        prefix, prefix_reason, problem = self._prefix(layout, launches)
        evaluations = tuple(c for c in followed.commands if common.is_evaluation(c, policy))
        if eval_only:  # instead of the benchmark
            evaluations, clients = (_evaluation(root, variant.span),), ()
        return RecipeFacts(
            path=self.path,
            start=variant.span,
            workload=workload,
            workload_reason=reason,
            model_prefix=prefix,
            prefix_reason=prefix_reason,
            prefix_problem=problem,
            thinking=self.reading.thinking,
            thinking_settings=tuple(settings_of(launches, (*clients, *_told(root)), policy)),
            launches=launches,
            commands=(*commands, *evaluations) if eval_only else commands,
            clients=clients,
            evaluations=evaluations,
            texts=followed.texts,
            variant=variant.name,
            eval_only=eval_only,
            assumptions=followed.assumptions,
            unresolved=(*notes, *problems, *missed, *followed.unresolved),
        )

    def _launches(
        self, root: YamlMap, layout: srt.Layout
    ) -> tuple[tuple[Launch, ...], tuple[Note, ...]]:
        from verifier.engines import read_launch
        from verifier.model.record import replace

        launches: list[Launch] = []
        missed: list[Note] = []
        image = (self.reading.env or {}).get("IMAGE") or (
            layout.image.text if layout.image else None
        )
        for order, (role, command) in enumerate(_commands(root, layout)):
            placed = replace(command, order=order - _MOST_ROLES)
            launch = read_launch(placed, self.policy, image=image)
            if launch is None:
                shown = " ".join(word.text.display() for word in command.argv[:4])
                text = f"the {role} worker's command `{shown} …` is not of a known engine"
                missed.append(Note(span=command.span, text=text))
            else:
                launches.append(replace(launch, role=role))
        if not launches and not missed and not layout.problems:
            missed.append(Note(span=root.span, text="the recipe starts no worker"))
        return tuple(launches), tuple(missed)

    def _prefix(
        self, layout: srt.Layout, launches: tuple[Launch, ...]
    ) -> tuple[str | None, str, str | None]:
        """MODEL_PREFIX, then the model that the recipe names, then the served model."""
        from verifier.facts import same_family

        found: list[tuple[str, str]] = []
        given = (self.reading.env or {}).get("MODEL_PREFIX")
        if given:
            found.append((given, f"MODEL_PREFIX={given}"))
        path = layout.model.text if layout.model else None
        names = [("identity.model.repo", layout.repository), ("model.path", path)]
        names += [
            ("served-model-name", launch.served_model_name.known)
            for launch in launches
            if launch.served_model_name is not None
        ]
        for key, name in names:
            if name:
                prefix = self.policy.prefix_of_model(name)
                known = set(self.policy.model_prefixes.values()) | set(self.reading.prefixes)
                if prefix is None and name in known:
                    prefix = name
                if prefix is not None:
                    found.append((prefix, f"{key} {name}"))
        found += self._folder()
        if not found:
            return None, "", "the recipe names no model that the policy knows"
        prefix, reason = found[0]
        for other, why in found[1:]:
            if not same_family(prefix, other):
                return prefix, reason, f"{reason} says {prefix}, but {why} says {other}"
        return prefix, reason, None

    def _folder(self) -> Iterator[tuple[str, str]]:
        """The folder that names a model, such as `kimi-k3`."""
        for folder in reversed(self.path.split("/")[:-1]):
            prefix = self.policy.prefix_of_model(folder)
            if prefix is not None:
                yield prefix, f"the folder {folder}"
                return


def _named_workload(root: YamlMap) -> tuple[Workload, str] | None:
    """What the benchmark section says where no known client runs; None: nothing."""
    section = root.mapping("benchmark")
    kind, command = section.string("type"), section.string("command") or ""
    if kind is None or "IS_AGENTIC" in section.mapping("env").entries:
        return None
    named = command if kind == "custom" else kind
    if "agentic" in named.lower():
        return "agentic", f"the benchmark is {named}"
    if kind == "custom":
        return "unknown", f"the benchmark runs `{command}`, which is no known client"
    return None


def _commands(root: YamlMap, layout: srt.Layout) -> Iterator[tuple[Role, Command]]:
    if root.string("apiVersion") is not None and (root.string("apiVersion") or "").startswith(
        "llm-d"
    ):
        yield from _llm_d(root)
        return
    for spec in layout.roles:
        yield spec.role, render(spec, layout)


def _llm_d(root: YamlMap) -> Iterator[tuple[Role, Command]]:
    """llm-d recipes: the server script adds arguments of its own before `extra-args`."""
    roles: tuple[Role, ...] = ("prefill", "decode")
    for role in roles:
        section = root.get(role)
        if not isinstance(section, YamlMap):
            continue
        origin = Origin(section.span, role)
        added = Hole("arguments that the llm-d server script adds", f"llm-d:{role}", origin)
        extra = section.get("extra-args")
        written = extra.text.split() if isinstance(extra, YamlScalar) else []
        place = Origin(extra.span, "extra-args") if isinstance(extra, YamlScalar) else origin
        words = [
            *(Word(Text((Lit(word, origin),))) for word in ("vllm", "serve")),
            Word(Text((Hole("MODEL is an input", "input:MODEL", origin, "MODEL"),))),
            Word(Text((added,)), splits=True),
            *(Word(Text((Lit(word, place),))) for word in written),
        ]
        env = {
            str(name): Text((Lit(entry.node.text, Origin(entry.node.span, str(name))),))
            for name, entry in section.mapping("env").entries.items()
            if isinstance(entry.node, YamlScalar)
        }
        yield role, Command(argv=tuple(words), span=section.span, env=env, background=True)


def _evaluation(root: YamlMap, span: Span) -> Command:
    """srtctl runs lm-eval instead of the benchmark when EVAL_ONLY is true (`cli/do_sweep.py`)."""
    entry = root.entries.get("benchmark")
    place = entry.key if entry is not None else span
    word = Word(Text((Lit("lm-eval", Origin(place, "run by srtctl under EVAL_ONLY=true")),)))
    return Command(argv=(word,), span=place)


def _told(root: YamlMap) -> Iterator[Command]:
    """Variables of the benchmark section, where a client's thinking mode is set."""
    section = root.mapping("benchmark")
    entry = section.entries.get("env")
    if entry is None or not isinstance(entry.node, YamlMap):
        return
    env = {
        str(name): Text((Lit(item.node.text, Origin(item.node.span, str(name))),))
        for name, item in entry.node.entries.items()
        if isinstance(item.node, YamlScalar)
    }
    yield Command(argv=(), span=entry.key, env=env)
