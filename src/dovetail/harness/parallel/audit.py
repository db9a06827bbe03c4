"""Which sub-problems are searched a second time, to compare the results."""

from __future__ import annotations

from zlib import crc32

from dovetail.random_stream import RandomStream


def is_audited(key: bytes, share: float, seed: int) -> bool:
    """Whether a sub-problem is among the share drawn with a seed, whichever are done before it."""
    return RandomStream(seed ^ crc32(key)).word() < share * 2**64
