"""Lattices: the cells that regions and pieces are made of, and how they move."""
