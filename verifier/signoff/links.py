"""Links of a text, and what each of them is for a sign-off."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote, urlsplit

from verifier.model.record import NamedTuple

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\u3000-\u303f\uff00-\uffef]+", re.IGNORECASE)

RECIPE_REPOSITORIES = ("vllm-project/recipes", "sgl-project/sglang")
_DOCS: dict[str, tuple[str, str]] = {
    "recipes.vllm.ai": ("vllm-project/recipes", ""),
    "docs.sglang.io": ("sgl-project/sglang", "cookbook"),
}


class Link(NamedTuple):
    """One address of a text."""

    url: str
    line: int


class RecipeLink(NamedTuple):
    """A link that may document a recipe.

    `pull`: a pull request of a recipe repository. `page`: a published page. `branch`: a file,
    branch or commit of a recipe repository, which is neither merged nor published by that.
    """

    url: str
    line: int
    kind: Literal["pull", "page", "branch"]
    repo: str
    number: int = 0
    page: str = ""
    """Path of the page below the site's root, without slashes at its ends."""


def links_of(lines: tuple[tuple[int, str], ...] | list[tuple[int, str]]) -> tuple[Link, ...]:
    """Every address, in order, each once. Marks that end a sentence are no part of it."""
    found: dict[str, Link] = {}
    for number, text in lines:
        for match in _URL.finditer(text):
            url = _trimmed(match[0])
            found.setdefault(url, Link(url, number))
    return tuple(found.values())


def _trimmed(url: str) -> str:
    while url:
        if url[-1] in ".,;:!?*_~'\"" or (
            url[-1] in ")]" and url.count(url[-1]) > url.count("(" if url[-1] == ")" else "[")
        ):
            url = url[:-1]
        elif "](" in url:
            url = url.partition("](")[0]
        else:
            break
    return url


def recipe_link(
    link: Link, repositories: tuple[str, ...] = RECIPE_REPOSITORIES
) -> RecipeLink | None:
    """What a link is for Check 3, or None when it leads elsewhere."""
    try:
        parts = urlsplit(link.url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    if parts.username is not None or parts.port not in (None, 80, 443):
        return None
    names = [unquote(name) for name in parts.path.split("/") if name]
    if host in ("github.com", "www.github.com"):
        return _github(link, names, repositories)
    if host in _DOCS:
        repo, below = _DOCS[host]
        page = "/".join(names).removesuffix(".html").removesuffix(".md")
        if below and (not names or names[0] != below):
            return None
        return RecipeLink(link.url, link.line, "page", repo, page=page)
    return None


def _github(link: Link, names: list[str], repositories: tuple[str, ...]) -> RecipeLink | None:
    repo = next((r for r in repositories if r.lower() == "/".join(names[:2]).lower()), None)
    if repo is None:
        return None
    if len(names) >= 4 and names[2] == "pull" and names[3].isascii() and names[3].isdigit():
        return RecipeLink(link.url, link.line, "pull", repo, number=int(names[3][:12]))
    return RecipeLink(link.url, link.line, "branch", repo)
