"""The compiled parts of `frontier`."""
