"""What an input holds: a file, a pipe, a device, or standard input, which is called `-`.

A pipe can be read only once. Code that needs its content twice keeps the content.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path

from dovetail.errors import FormatError, reason_of

STANDARD_INPUT = Path("-")
CHUNK_BYTES = 2**20


def place_of(path: Path) -> str:
    """What messages call the input at `path`."""
    return "standard input" if path == STANDARD_INPUT else str(path)


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder; False for what cannot be a path."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def is_input(path: Path) -> bool:
    """Whether there is something to read at `path`; False for a folder and for no path at all."""
    try:
        return path == STANDARD_INPUT or (path.exists() and not path.is_dir())
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def input_bytes(path: Path, largest: int | None = None) -> bytes:
    """Read the input at `path` to its end.

    Raises `FormatError` when it cannot be read or has more than `largest` bytes, and for a
    standard input that is closed or empty.
    """
    place = place_of(path)
    chunks: list[bytes] = []
    size = 0
    try:
        with _standard_input() if path == STANDARD_INPUT else path.open("rb") as stream:
            # One call of the system for each chunk: a terminal ends its input only once.
            while chunk := stream.read1(CHUNK_BYTES):
                chunks.append(chunk)
                size += len(chunk)
                if largest is not None and size > largest:
                    raise FormatError(f"more than {largest:,} bytes, the limit", place)
    except OSError as error:
        if is_folder(path):
            raise FormatError("a folder; expected a file", place) from None
        raise FormatError(f"cannot be read ({reason_of(error)})", place) from None
    if path == STANDARD_INPUT and not chunks:
        raise FormatError("empty; expected a file (only one argument can be -)", place)
    return b"".join(chunks)


def _standard_input() -> nullcontext[BufferedReader]:
    """Standard input, which stays open."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or stream.closed:
        raise FormatError("closed; expected a file", place_of(STANDARD_INPUT))
    return nullcontext(stream)
