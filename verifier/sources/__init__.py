"""Where files come from: the local tree, git objects, the GitHub API."""
