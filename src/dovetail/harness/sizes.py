"""Parsing and formatting of sizes, times and large numbers."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from numbers import Real

from dovetail.errors import ConfigError, shorten, show

LARGEST = 2**60
# Smallest number that is formatted with a power of ten.
SMALLEST_WITH_POWER = 1e15
_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_LONG_UNITS = (("years", 365.25 * 86400), ("days", 86400), ("h", 3600), ("min", 60))
_FLAGS = re.IGNORECASE | re.ASCII  # without `ASCII`, the letters "ſ" and "ı" match "s" and "i"
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_size(text: str) -> int:
    """Parse a size such as `512M`, `2 GiB`, `1.5GB` or a number of bytes; return bytes.

    Units are powers of 1024, and fractions of a byte are cut off. Raises `ConfigError` for an
    invalid size, for 0 and for more than 2^60 bytes.
    """
    match = re.fullmatch(r"\s*(\d{1,19}(?:\.\d{1,6})?)\s*([kmgt]?)(?:i?b)?\s*", text, _FLAGS)
    size = 0 if match is None else int(float(match[1]) * _UNITS[match[2].lower()])
    if not 1 <= size <= LARGEST:
        raise ConfigError(f"size is {shorten(text)!r}; expected a size such as 512M or 2GiB")
    return size


def parse_seconds(time: float | str) -> float:
    """Parse a time: a number of seconds, or text such as `500ms`, `5s`, `2m`, `1.5h`.

    Text without a unit means seconds. Returns seconds. Raises `ConfigError` for an invalid text,
    for a number that is negative, infinite or NaN, and for a value of another type.
    """
    seconds = math.nan
    if isinstance(time, str):
        match = re.fullmatch(
            r"\s*(\d{1,15}(?:\.\d{0,9})?|\.\d{1,9})\s*(ms|s|m|min|h|)\s*", time, _FLAGS
        )
        if match is not None:
            seconds = float(match[1]) * _SECONDS[match[2].lower()]
    elif isinstance(time, Real) and not isinstance(time, bool):
        with suppress(OverflowError):
            seconds = float(time)
    if not (seconds >= 0 and math.isfinite(seconds)):
        shown = show(time)
        raise ConfigError(f"time is {shown}; expected seconds, or a time such as 5s, 2m or 1h")
    return seconds


def show_size(size: int) -> str:
    """Format a number of bytes in KiB, MiB or GiB."""
    if size >= 2**30:
        return f"{size / 2**30:.1f} GiB"
    return f"{size / 2**20:.0f} MiB" if size >= 2**20 else f"{size / 2**10:.0f} KiB"


def about(number: float) -> str:
    """Format a number to at most two significant digits.

    A number below 1e15 has no decimals, and a larger number has a power of ten. Infinity is shown
    as "1e308 or more".
    """
    if math.isinf(number):
        return "1e308 or more"
    rounded = f"{number:.1e}"
    return f"{float(rounded):,.0f}" if number < SMALLEST_WITH_POWER else rounded


def about_s(seconds: float) -> str:
    """Format seconds to about two significant digits, in units from milliseconds to years."""
    if seconds < 1e-3:
        return "less than 1 ms"
    if seconds < 1:
        return f"{about(seconds * 1e3)} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    long_units = ((unit, length) for unit, length in _LONG_UNITS if seconds >= 3 * length)
    unit, length = next(long_units, ("s", 1))
    return f"{about(seconds / length)} {unit}"
