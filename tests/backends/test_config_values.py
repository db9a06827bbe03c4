"""Values of another type, and outside the range, of the settings of backends and improvers."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.improvers.registry import improver_named


@pytest.mark.parametrize(
    ("solver", "values", "message"),
    [
        ("fila", {"kernel": "bogus"}, "kernel is 'bogus'; valid: reference, fast"),
        ("rows", {"identical_tiles": "never"}, "identical_tiles is 'never'; valid: once, each"),
        ("fletcher", {"sifting": "x"}, "sifting is 'x'; valid: tree, list"),
        ("bitset", {"break_symmetry": "off"}, "break_symmetry is 'off'; valid: true, false"),
        ("beam", {"width": 1.5}, "width is 1.5; expected a whole number of 0 or more"),
        ("beam", {"width": True}, "width is True; expected a whole number of 0 or more"),
        (
            "domains",
            {"choice": "per_edge"},
            "choice is 'per_edge'; did you mean 'per-edge'? valid: per-edge, fewest",
        ),
        ("frontier", {"threads": "2"}, "threads is '2'; expected a whole number"),
        ("dlx", {"stages": ["s"]}, "stages is ['s']; expected a list of strings"),
        ("repair", {"noise": float("nan")}, "noise is nan; expected a number from 0 to 1,000"),
    ],
)
def test_a_value_that_a_setting_does_not_take(
    solver: str, values: dict[str, Any], message: str
) -> None:
    """A config refuses it, however it is made."""
    named = improver_named if solver in ("beam", "repair") else backend_named
    with pytest.raises(ConfigError) as raised:
        named(solver).config_type(**values)
    assert str(raised.value).startswith(message)
