"""Colour pairs, offered by tiles and demanded by cells, for edge matching."""
