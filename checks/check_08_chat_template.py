"""Speculative decoding is measured through the model's chat template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from checks.support import (
    call_site,
    from_note,
    meet,
    not_applicable,
    passed,
    shown,
    unevaluated,
    unread,
    variants,
)
from verifier.model.command import Command
from verifier.model.condition import Condition
from verifier.model.context import Context, RecipeFacts
from verifier.model.finding import CheckMeta, Finding, Status
from verifier.model.launch import Launch, Speculation
from verifier.model.record import replace

if TYPE_CHECKING:
    from verifier.policy_sections import Client

META = CheckMeta(
    number=8,
    slug="chat-template",
    name="chat template",
    summary="A benchmark of a launch with speculative decoding sends its requests through the "
    "model's chat template: `--use-chat-template`, a chat-completions endpoint, or the agentic "
    "client.",
    rationale="On raw random text drafts are accepted far more often than in use, so results "
    "without the chat template are too good.",
    links=("docs/checks.md",),
)
_CHAT_ENDPOINT = "chat/completions"


def check(context: Context) -> Iterable[Finding]:
    """Judge every client against every speculative launch it can drive."""
    findings = [*unread(context)]
    for recipe in context.recipes:
        findings.extend(unevaluated(recipe))
        for launch in recipe.launches:
            findings.extend(_launch(launch, recipe, context))
    return findings or [not_applicable("no launch with speculative decoding")]


def _launch(launch: Launch, recipe: RecipeFacts, context: Context) -> Iterator[Finding]:
    if launch.speculation is None:
        for note in launch.unresolved:
            yield from_note(note, "unread_settings", "it may hide speculative decoding")
        return
    driving = [
        (client, when)
        for client in recipe.clients
        if client.order > launch.command.order
        and not (when := meet(launch.when, client.when)).never
    ]
    for command, when in driving:
        client = context.policy.clients.get(command.name or "")
        if client is not None:
            yield _worst([_client(v, client, launch, shown(when)) for v in variants(command)])
    if not driving:
        yield _no_client(launch, recipe)


def _worst(findings: Sequence[Finding]) -> Finding:
    """One answer for a client whose arguments can be several things.

    When they do not agree it is not known which ones go with the launch.
    """
    statuses = {finding.status for finding in findings}
    if len(statuses) == 1:
        return findings[0]
    first = next(f for f in findings if f.status is not Status.PASS)
    return replace(
        first,
        status=Status.UNRESOLVED,
        code="client_arguments_unknown",
        message="whether this client uses the chat template when the launch in front of it "
        "drafts cannot be told: its arguments differ between branches",
    )


def _no_client(launch: Launch, recipe: RecipeFacts) -> Finding:
    if recipe.workload == "agentic":
        return passed(
            "agentic_client", "agentic traffic goes through the chat template", launch.span
        )
    return Finding(
        status=Status.NA,
        code="no_client",
        message="no benchmark client runs in this file",
        span=launch.span,
    )


def _client(command: Command, client: Client, launch: Launch, when: Condition) -> Finding:
    name = command.name or "the client"
    if client.chat_template == "always":
        return passed("chat_template", f"{name} uses the chat template", command.span, when)
    words = [word.text.known for word in command.argv[1:]]
    if client.chat_template == "flag" and any(flag in words for flag in client.flags):
        return passed("chat_template", f"{name} uses the chat template", command.span, when)
    if any(word is not None and _CHAT_ENDPOINT in word for word in words):
        return passed("chat_template", f"{name} uses a chat endpoint", command.span, when)
    hidden = next((w for w in command.argv[1:] if w.text.known is None and w.splits), None)
    if hidden is not None:
        return Finding(
            status=Status.UNRESOLVED,
            code="client_arguments_unknown",
            message=f"whether {name} uses the chat template cannot be told: "
            f"{hidden.text.display()} may hold the flag",
            span=command.span,
            when=when,
            related=call_site(command),
        )
    speculation = launch.speculation
    if speculation is not None and not _certain(speculation):
        return Finding(
            status=Status.UNRESOLVED,
            code="speculation_unknown",
            message=f"{name} sends raw text, and whether the launch in line {launch.span.line} "
            "drafts cannot be told: " + "; ".join(note.text for note in speculation.unknown),
            span=command.span,
            when=when,
            related=call_site(command),
        )
    flags = " or ".join(f"`{flag}`" for flag in client.flags) if client.flags else "a chat endpoint"
    return Finding(
        status=Status.FAIL,
        code="no_chat_template",
        message=f"{name} sends raw text to a launch with speculative decoding "
        f"(line {launch.span.line}); {flags} is not among its arguments",
        span=command.span,
        hint=f"add {client.flags[0]}" if client.flags else "use the chat-completions endpoint",
        when=when,
        related=call_site(command),
    )


def _certain(speculation: Speculation) -> bool:
    """Whether the launch drafts for sure: settings that were not read at all may say nothing."""
    known = (speculation.method, speculation.method_written, speculation.draft_length)
    return not speculation.unknown or any(part is not None for part in known)
