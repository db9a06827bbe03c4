"""Puzzles, solutions and boards as SVG, as HTML pages and as coloured text."""
