"""The compiled parts of `bitset`."""
