"""Puzzles that cannot be solved, told without a search: every reason is a proof."""
