"""Packing puzzles: the model, the placements of pieces, colours, and orders of cells."""
