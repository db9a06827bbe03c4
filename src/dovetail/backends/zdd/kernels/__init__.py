"""The compiled parts of `zdd`."""
