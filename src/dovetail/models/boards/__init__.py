"""Edge-matching puzzles: the model, geometry, boards in progress, and expected numbers."""
