"""Sizes and times as people write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dovetail.errors import ConfigError
from dovetail.harness.sizes import parse_seconds


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        (5, 5.0),
        (0, 0.0),
        (0.25, 0.25),
        (np.float64(2.5), 2.5),
        ("5", 5.0),
        ("5s", 5.0),
        (" 1.5 m ", 90.0),
        (".5h", 1800.0),
        ("2h", 7200.0),
        ("300ms", 0.3),
    ],
)
def test_seconds(time: float | str, seconds: float) -> None:
    """A number, or text with a unit."""
    assert parse_seconds(time) == pytest.approx(seconds)


NO_TEXTS = ["", "s", "-5s", "nan", "inf", "5 apples", "1h30", "9" * 99]
NO_NUMBERS = [-1, float("nan"), float("inf"), True, None, [5]]


@pytest.mark.parametrize("time", [*NO_TEXTS, *NO_NUMBERS])
def test_what_is_no_time(time: Any) -> None:
    """One line that shows what was given, and how a time is written."""
    with pytest.raises(ConfigError, match="expected seconds, or a time such as 5s, 2m or 1h"):
        parse_seconds(time)
