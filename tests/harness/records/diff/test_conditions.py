"""Where and with what runs were made."""

from __future__ import annotations

from dovetail.harness.records.run_diff import Difference, differences
from harness.records.diff.made import MACHINE, record


def test_the_same_conditions() -> None:
    """Are no difference, in whatever order the records are."""
    sides = [record(commit="a"), record(commit="b")]
    assert differences(sides, sides[::-1]) == ()


def test_what_differs() -> None:
    """Each thing by its name, with all values of either file; also what is not recorded."""
    old = [record(commit="a"), record(commit="b")]
    new = [
        record(machine={**MACHINE, "cores": 4}, versions={"python": "3.13"}, commit=None),
        record(load={"parallel": 3, "busy_cores": 2.5}, versions={}, commit=None),
    ]
    assert differences(old, new) == (
        Difference("machine: cores", ("2",), ("4", "2")),
        Difference("versions: python", ("3.12",), ("3.13",)),
        Difference("commit", ("a", "b"), ("not recorded",)),
        Difference("side by side", ("1",), ("1", "3")),
        Difference("busy cores", ("1 to 1",), ("1 to 2.5",)),
    )


def test_a_load_that_is_about_the_same() -> None:
    """Is no difference, and neither is one that is not recorded."""
    busy = {"parallel": 1, "busy_cores": 1.3}
    assert differences([record()], [record(load=busy)]) == ()
    assert differences([record()], [record(load={"parallel": 1})]) == ()
