"""Bit-set domains of cells and sets of colours of edges, for edge matching."""
