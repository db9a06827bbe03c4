"""Lattices: the cells of which regions and pieces consist, and their motions."""
