"""What a recipe link of a sign-off leads to, read from the recipe's own repository."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from verifier.model.pull import RecipeEvidence
from verifier.signoff.links import RecipeLink
from verifier.sources.github import Api, GitHubError, objects, quoted, text_of

MAX_FILES = 40
MAX_BYTES = 1_000_000

_KINDS = (".md", ".mdx", ".yaml", ".yml", ".sh", ".jsx", ".tsx", ".ipynb")
_PAGES: dict[str, tuple[str, ...]] = {
    "vllm-project/recipes": ("models/{page}.yaml", "{page}.md"),
    "sgl-project/sglang": ("docs_new/{page}.mdx", "docs_new/{page}.md"),
}
"""Files that a published page is made of, in the default branch of its repository."""
_IMPORT = re.compile(
    r"""from\s+["'](/src/snippets/configs/[\w.-]+/(?![\w.-]*-benchmarks\.)[\w.-]+\.jsx)["']"""
)


def load_recipe(api: Api, link: RecipeLink) -> RecipeEvidence:
    """State and text behind a link. A failure becomes the state `unreachable`, with its reason."""
    try:
        if link.kind == "pull":
            return _pull(api, link)
        if link.kind == "page":
            return _page(api, link)
    except GitHubError as error:
        state = "missing" if error.status == 404 else "unreachable"
        kind = "pull" if link.kind == "pull" else "page"
        return RecipeEvidence(url=link.url, kind=kind, state=state, reason=str(error))  # type: ignore[arg-type]
    return RecipeEvidence(
        url=link.url,
        kind="page",
        state="missing",
        reason="it is a file, branch or commit, which is neither merged nor published by that",
    )


def _pull(api: Api, link: RecipeLink) -> RecipeEvidence:
    what = f"pull request {link.number} of {link.repo}"
    data = api.get(f"/repos/{link.repo}/pulls/{link.number}")
    state = text_of(data, "state", what=what)
    merged = data.get("merged") is True or isinstance(data.get("merged_at"), str)
    if not merged:
        word = "closed" if state == "closed" else "draft" if data.get("draft") else "open"
        return RecipeEvidence(url=link.url, kind="pull", state=word)  # type: ignore[arg-type]
    texts: dict[str, str] = {}
    reason = ""
    for item in objects(api.pages(f"/repos/{link.repo}/pulls/{link.number}/files"), what):
        path = text_of(item, "filename", what=what)
        if not path.endswith(_KINDS) or item.get("status") == "removed":
            continue
        if len(texts) >= MAX_FILES:
            reason = f"only the first {MAX_FILES} of its files were read"
            break
        texts[path] = _blob(api, link.repo, text_of(item, "sha", what=what), path)
    commit = data.get("merge_commit_sha")
    return RecipeEvidence(
        url=link.url,
        kind="pull",
        state="merged",
        reason=reason,
        texts=texts,
        revision=commit if isinstance(commit, str) else None,
    )


def _page(api: Api, link: RecipeLink) -> RecipeEvidence:
    """A page's source in the default branch: what is there is published."""
    if not link.page or ".." in link.page.split("/"):
        return RecipeEvidence(
            url=link.url, kind="page", state="missing", reason="it names no page of a recipe"
        )
    for pattern in _PAGES.get(link.repo, ()):
        path = pattern.format(page=link.page)
        try:
            data = api.get(f"/repos/{link.repo}/contents/{quoted(path)}")
        except GitHubError as error:
            if error.status == 404:
                continue
            raise
        text = _text(data, path)
        texts = {path: text}
        for name in dict.fromkeys(_IMPORT.findall(text)):
            # A page of the cookbook shows the commands of the configuration that it imports.
            place = f"docs_new{name}"
            content = api.get(f"/repos/{link.repo}/contents/{quoted(place)}")
            texts[place] = _text(content, place)
        return RecipeEvidence(url=link.url, kind="page", state="published", texts=texts)
    return RecipeEvidence(
        url=link.url,
        kind="page",
        state="unreachable",
        reason=f"its source was not found in {link.repo}",
    )


def _blob(api: Api, repo: str, sha: str, path: str) -> str:
    return _text(api.get(f"/repos/{repo}/git/blobs/{quoted(sha)}"), path)


def _text(data: Any, path: str) -> str:
    if text_of(data, "encoding", what=path) != "base64":
        raise GitHubError(f"{path} is too large for the API")
    try:
        content = base64.b64decode(text_of(data, "content", what=path), validate=False)
    except (binascii.Error, ValueError):
        raise GitHubError(f"{path} is not in base64") from None
    if len(content) > MAX_BYTES:
        raise GitHubError(f"{path} has {len(content):,} bytes")
    return content.decode("utf-8", "replace")
