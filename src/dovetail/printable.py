"""Text from files and users, made safe to print: the one rule for terminals, messages and reports.

A terminal takes control characters, C1 controls and marks that change the direction of writing
for commands. None of them is printable to Python.
"""

from __future__ import annotations

REPLACEMENT = "\ufffd"  # the replacement character of Unicode


def printable(text: str, *, keep: str = "", mark: str = REPLACEMENT) -> str:
    """`text` with `mark` for each character that is neither printable nor in `keep`."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in keep else mark for one in text)
