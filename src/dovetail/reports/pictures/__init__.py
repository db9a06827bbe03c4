"""Pictures of puzzles and solutions: SVG, pages of them, colours in a terminal."""
