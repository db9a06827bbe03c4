"""The compiled parts of `domains`."""
