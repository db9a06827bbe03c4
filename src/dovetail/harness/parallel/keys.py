"""Keys of sub-problems: their places in the order of the search.

The whole search has the empty key, and part n of a sub-problem has its key with n behind it, four
bytes with the highest first. Bytes in ascending order are then the order of the search: what a
sub-problem found before it was cut comes before its parts.
"""

from __future__ import annotations

BYTES = 4
WHOLE = b""


def part_key(key: bytes, number: int) -> bytes:
    """Return the key of part `number`, counted from 0."""
    return key + number.to_bytes(BYTES, "big")


def parent_key(key: bytes) -> bytes:
    """Return the key of the sub-problem that a part was left by; the part is not `WHOLE`."""
    return key[:-BYTES]


def show_key(key: bytes) -> str:
    """Return a key as people read it, such as `3.0.12`; parts are counted from 1."""
    numbers = (key[at : at + BYTES] for at in range(0, len(key), BYTES))
    return ".".join(str(int.from_bytes(one, "big") + 1) for one in numbers) or "the whole search"
