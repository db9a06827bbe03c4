"""The compiled parts of `colorpair`."""
