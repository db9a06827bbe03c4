"""Numbers of any size as text."""

from __future__ import annotations

import math

from dovetail.errors import show_integer

ABSENT = "–"
LONG = 1e9  # smallest number that is shown with an exponent, except counts


def show_count(count: int | None, exact: bool, *, probable: bool = False) -> str:
    """Format a count: `≥` for a lower bound, `≈` for a probable count, a dash for None."""
    if count is None:
        return ABSENT
    mark = "≈ " if probable else ""
    return f"{mark}{show_integer(count)}" if exact else f"≥ {show_integer(count)}"


def show_whole(number: int | None) -> str:
    """Format a whole number; a dash for None."""
    return ABSENT if number is None else show_integer(number)


def show_seconds(seconds: float) -> str:
    """Format seconds with a unit: three significant digits, or whole seconds from 1,000 s on.

    Times below 1 ms are whole microseconds. Times from `LONG` on have an exponent.
    """
    if seconds < 999.5e-6:  # larger times would be rounded to 1,000 µs
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 999.5:
        return f"{seconds:.3g} s"
    return f"{seconds:,.0f} s" if seconds < LONG else f"{seconds:.3g} s"


def show_span(seconds: float) -> str:
    """Format a time of progress: whole seconds, minutes and seconds, or longer units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    if whole < 86400:
        return f"{whole // 3600}:{whole % 3600 // 60:02} h"
    return f"{whole / 86400:,.1f} days"


def show_spans(low: float, high: float) -> str:
    """Format a range of times by `show_span`; a single time if both ends look equal."""
    first, last = show_span(low), show_span(high)
    return last if first == last else f"{first} to {last}"


def show_ratio(value: float, best: float = 1.0) -> str:
    """Format the ratio of a value to `best`: two decimals below ten, then a whole number.

    Ratios below 0.005 have two significant digits, ratios from `LONG` on have an exponent, and an
    infinite ratio is `∞`. If `best` is not positive, the ratio is taken as 1.
    """
    ratio = value / best if best > 0 else 1.0
    if ratio < 0.005:
        return f"{ratio:.2g}"
    if ratio >= LONG:
        return f"{ratio:.3g}" if math.isfinite(ratio) else "∞"
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:,.0f}"


def show_times(ratio: float) -> str:
    """Format a ratio as a factor: `×1.60`."""
    return f"×{show_ratio(ratio)}"


def show_percent(share: float) -> str:
    """Format a share as a whole number of per cent."""
    return f"{100 * share:.0f} %"


def show_rate(count: int | None, seconds: float) -> str:
    """Format a rate with three significant digits and k or M; a dash if unknown or too large."""
    if count is None or seconds <= 0:
        return ABSENT
    try:
        rate = count / seconds
    except OverflowError:  # labelled counts can be too large for a float
        return ABSENT
    if not math.isfinite(rate):
        return ABSENT
    for unit, size in (("M", 1e6), ("k", 1e3)):
        # As in `show_rounded`, a rate that rounds to 1000 of a unit is 1 of the next unit.
        if 0.9995 * size <= rate < 0.9995 * size * LONG:
            return f"{rate / size:.3g} {unit}"
    return f"{rate:.3g}"


def show_rounded(number: float | None) -> str:
    """Format a number with at most three significant digits and k, M or G; a dash for None."""
    if number is None:
        return ABSENT
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        # A number that rounds to 1000 of a unit is shown as 1 of the next unit.
        if 0.9995 * size <= number < 0.9995 * size * LONG:
            return f"{number / size:.3g} {unit}"
    if isinstance(number, int):
        return show_integer(number, 4)
    return f"{number:.3g}"


def show_change(change: float | None) -> str:
    """Format a change as a percentage with its sign; a dash for None."""
    if change is None:
        return ABSENT
    percent = round(100 * change, 1) + 0.0  # avoids −0
    return f"{percent:+,.1f}".removesuffix(".0").replace("-", "−") + " %"
