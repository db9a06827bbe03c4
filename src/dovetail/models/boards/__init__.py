"""Edge-matching puzzles: the model, geometry, orders of cells, partial boards, expected numbers."""
