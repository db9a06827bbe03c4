"""Puzzles that cannot be solved, recognised without a search: every reason is a proof."""
