"""Engine versions: from the policy, or from an image tag.

Tags seen in public recipes: `vllm/vllm-openai:v0.27.1`, `lmsysorg/sglang:v0.5.16-rocm700-mi35x`,
`nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc14`, `rocm/atom:...`, `…:nightly-<commit>`. Only a
release number dates an image; nightly and commit tags do not.
"""

from __future__ import annotations

import re

from verifier.model.launch import EngineName
from verifier.model.record import NamedTuple

_RELEASE = re.compile(
    r"(?<![0-9.])v?(\d+)\.(\d+)(?:\.(\d+))?(rc\d+|a\d+|b\d+|\.?dev\d*|\.?post\d+)?"
)
_UNDATED = re.compile(r"nightly|latest|main|dev\b|sha-?[0-9a-f]{7}|@sha256:", re.IGNORECASE)
_REPOSITORY: tuple[tuple[str, EngineName], ...] = (
    ("tensorrt", "trtllm"),
    ("trtllm", "trtllm"),
    ("sglang", "sglang"),
    ("sgl-dev", "sglang"),
    ("vllm", "vllm"),
    ("tilert", "tilert"),
    ("atom", "atom"),
)


class Version(NamedTuple):
    """A release. A release candidate comes before the release."""

    major: int
    minor: int
    patch: int
    candidate: int = 10**6
    """10**6 for the release itself."""

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        return text if self.candidate == 10**6 else f"{text}rc{self.candidate}"


def parse(text: str) -> Version | None:
    """The first release number in a text."""
    match = _RELEASE.search(text)
    if match is None:
        return None
    candidate = 10**6
    if match.group(4) and match.group(4).startswith("rc"):
        candidate = int(match.group(4)[2:])
    return Version(int(match.group(1)), int(match.group(2)), int(match.group(3) or 0), candidate)


def of_image(image: str, engine: EngineName) -> Version | None:
    """The engine's version in an image, when its name is the engine's and its tag a release."""
    repository, _, tag = image.replace("#", "/").rpartition(":")
    if not repository or "/" in tag or _UNDATED.search(tag):
        return None
    name = repository.lower()
    if "ai-dynamo" in name or name.endswith("-runtime"):
        return None  # the tag is Dynamo's own version
    found = next((e for word, e in _REPOSITORY if word in name.rsplit("/", 2)[-1]), None)
    if found is None:
        found = next((e for word, e in _REPOSITORY if word in name), None)
    if found != engine:
        return None
    named = re.search(rf"{engine}[-_]?(v?\d+\.\d+[^-_]*)", tag, re.IGNORECASE)
    return parse(named.group(1) if named else tag)
