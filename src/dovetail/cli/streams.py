"""The standard streams of a command: there, and able to print every character."""

from __future__ import annotations

import codecs
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from dovetail.cli.output import STANDARD_OUTPUT_NAME, NamedFile
from dovetail.platform.system import STDERR, STDOUT, occupy_standard_descriptors

READABLE = "dovetail.readable"
# What we print that encodings such as ASCII and Latin-1 lack, and what is printed instead.
SUBSTITUTES = {
    "≥": ">=",
    "−": "-",
    "–": "-",
    "×": "x",
    "·": "*",
    "…": "...",
    "→": "->",
    "±": "+-",
    "µ": "u",
    "�": "?",
}


def prepare_streams() -> None:
    """Open the output streams that are closed; let every text be printed in their encodings.

    Errors of writing to standard output name it. Python has None for a stream that the process was
    started without. Writing to a standard output that was closed is an error of the operating
    system from here on, as on a full disk;
    messages to a closed standard error are discarded.
    """
    occupy_standard_descriptors()
    if sys.stdout is None:
        sys.stdout = os.fdopen(STDOUT, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(STDERR, "w", encoding="utf-8")
    codecs.register_error(READABLE, _substituted)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=READABLE)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout = _named(sys.stdout)


def _named(stream: TextIOWrapper) -> TextIOWrapper:
    """Standard output as a stream whose errors name it; a console of Windows as it is."""
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(raw) is not FileIO:
        return stream
    named = NamedFile(raw.fileno(), "w", STANDARD_OUTPUT_NAME, closefd=False)
    return TextIOWrapper(
        named if raw is stream.buffer else BufferedWriter(named),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _substituted(error: UnicodeError) -> tuple[str, int]:
    """ASCII for the characters that an encoding lacks: a substitute, or else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    words = (SUBSTITUTES.get(mark) or mark.encode("unicode_escape").decode() for mark in lacking)
    return "".join(words), error.end
