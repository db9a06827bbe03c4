"""Filling the empty cells of a board by beam search: the engine of `beam` and of `repair`."""
