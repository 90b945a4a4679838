"""The evaluator against real bash, on generated scripts."""
