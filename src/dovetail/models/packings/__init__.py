"""Packing puzzles: the model, the colours of cells, and the placements of pieces."""
