"""Which tree, which policy, which files."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.workspace import (
    PathError,
    is_shell,
    judged_files,
    open_workspace,
    require_existing,
)

AGENTIC = "benchmarks/single_node/agentic"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name in (
        f"{AGENTIC}/a_fp4_b200_vllm.sh",
        f"{AGENTIC}/b_fp4_b200_vllm.sh",
        "benchmarks/benchmark_lib.sh",
        "benchmarks/multi_node/srt-slurm-recipes/m/r.yaml",
        "utils/tool.sh",
        "utils/deep/other.sh",
        "docs/page.md",
        "launcher",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("#!/usr/bin/env bash\ntrue\n")
    return root


def test_the_git_root_is_the_root(tree: Path) -> None:
    (tree.parent / ".git").mkdir()
    space = open_workspace([str(tree / AGENTIC / "a_fp4_b200_vllm.sh")])
    assert space.tree.root == str(tree.parent)
    assert space.relative(str(tree / "launcher")) == "tree/launcher"


def test_a_linked_work_tree_is_a_git_root_too(tree: Path) -> None:
    (tree / ".git").write_text("gitdir: elsewhere\n")
    assert open_workspace([str(tree / "utils" / "tool.sh")]).tree.root == str(tree)


def test_outside_of_git_the_path_patterns_find_the_root(tree: Path) -> None:
    assert open_workspace([str(tree / AGENTIC / "a_fp4_b200_vllm.sh")]).tree.root == str(tree)


def test_outside_of_git_a_policy_marks_the_root(tree: Path) -> None:
    (tree / "utils" / "verifier.yaml").write_text("default_thinking: 'off'\n")
    space = open_workspace([str(tree / "utils" / "deep" / "other.sh")])
    assert space.tree.root == str(tree / "utils")
    assert space.policy.default_thinking == "off"


def test_else_the_folder_of_the_file_is_the_root(tree: Path) -> None:
    assert open_workspace([str(tree / "utils" / "tool.sh")]).tree.root == str(tree / "utils")
    both = [str(tree / "utils" / "tool.sh"), str(tree / "launcher")]
    assert open_workspace(both).tree.root == str(tree)


def test_the_agentic_folder_stays_part_of_the_path(tmp_path: Path) -> None:
    (tmp_path / "agentic").mkdir()
    script = tmp_path / "agentic" / "x.sh"
    script.write_text("true\n")
    space = open_workspace([str(script)])
    assert judged_files(space, [str(script)]) == ("agentic/x.sh",)


def test_paths_of_two_repositories_need_a_root(tree: Path) -> None:
    for name in ("utils", "benchmarks"):
        (tree / name / ".git").mkdir()
    with pytest.raises(PathError, match="different trees"):
        open_workspace([str(tree / "utils"), str(tree / "benchmarks")])


def test_a_folder_gives_what_the_patterns_know(tree: Path) -> None:
    space = open_workspace([], root=str(tree))
    assert judged_files(space, [str(tree)]) == (
        "benchmarks/multi_node/srt-slurm-recipes/m/r.yaml",
        f"{AGENTIC}/a_fp4_b200_vllm.sh",
        f"{AGENTIC}/b_fp4_b200_vllm.sh",
    )


def test_a_folder_unknown_to_the_patterns_gives_its_scripts(tree: Path) -> None:
    space = open_workspace([], root=str(tree))
    assert judged_files(space, [str(tree / "utils")]) == ("utils/deep/other.sh", "utils/tool.sh")
    with pytest.raises(PathError, match="holds no benchmark script or recipe"):
        judged_files(space, [str(tree / "docs")])


def test_a_file_is_taken_as_it_is_and_once(tree: Path) -> None:
    space = open_workspace([], root=str(tree))
    tool, launcher = str(tree / "utils" / "tool.sh"), str(tree / "launcher")
    assert judged_files(space, [tool, launcher, tool]) == ("utils/tool.sh", "launcher")


def test_what_is_no_recipe_is_refused(tree: Path) -> None:
    (tree / "docs" / "page.md").write_text("# Title\n")
    space = open_workspace([], root=str(tree))
    with pytest.raises(PathError, match=r"page\.md:1: neither a shell script"):
        judged_files(space, [str(tree / "docs" / "page.md")])


def test_a_root_may_be_reached_through_a_link(tree: Path) -> None:
    link = tree.parent / "link"
    link.symlink_to(tree)
    for root in (str(link), str(tree)):
        space = open_workspace([], root=root)
        for path in (link / "launcher", tree / "launcher"):
            assert space.relative(str(path)) == "launcher"


def test_missing_things_are_named(tree: Path) -> None:
    with pytest.raises(PathError, match="nosuch: no such file or folder"):
        require_existing([str(tree / "nosuch")])
    with pytest.raises(PathError, match="is not a folder"):
        open_workspace([], root=str(tree / "launcher"))


@pytest.mark.parametrize(
    ("line", "shell"),
    [
        (b"#!/bin/bash\n", True),
        (b"#!/bin/sh -e\n", True),
        (b"#! /usr/bin/env bash\n", True),
        (b"#!/usr/bin/env -S bash -e\n", True),
        (b"#!/usr/bin/python3\n", False),
        (b"#!/usr/bin/env python3\n", False),
        (b"# bash\n", False),
        (b"#!\n", False),
        (b"", False),
    ],
)
def test_the_first_line_tells_a_shell(line: bytes, shell: bool) -> None:
    assert is_shell(line) is shell
