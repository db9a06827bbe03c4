"""File names from names that may hold anything."""

from __future__ import annotations

import re

from dovetail.reports.site.content import SAFE, file_names

HOSTILE = (
    *("../../etc/passwd", "..", ".hidden", "a/b", "a\\b", "C:", "%2e%2e%2f", "javascript:alert(1)"),
    *("<script>", "a\"b' onclick=x", "\x00", "\u202egnp", "\ud800", "", "   ", "…", "x" * 100_000),
    *("con", "NUL", "nul.txt", "com1", "index", "INDEX", "trailing.html "),
)


def test_a_name_that_is_safe_is_kept() -> None:
    """Whatever other names there are."""
    names = {"1": "pentominoes-6x10", "2": "G_8_3", "3": "set-1-08x08.txt"}
    found = file_names(names)
    assert found["1"] == "pentominoes-6x10"
    assert found["3"] == "set-1-08x08.txt"
    assert re.fullmatch("g-8-3-[0-9a-f]{8}", found["2"])


def test_hostile_names_are_safe_file_names() -> None:
    """None leaves its folder or needs escaping, none is a device or the page of the folder."""
    found = file_names({str(place): name for place, name in enumerate(HOSTILE)})
    assert len({*found.values()}) == len(HOSTILE)
    for name in found.values():
        assert SAFE.fullmatch(name)
        assert name.split(".")[0] not in ("con", "nul", "com1", "index")


def test_letters_lose_their_marks() -> None:
    """So that a name can be recognised."""
    assert file_names({"1": "Würfel"})["1"].startswith("wurfel-")


def test_names_that_are_alike_stay_apart() -> None:
    """The same name, another case, the same letters and digits, and names made to collide."""
    names = {"1": "box", "2": "box", "3": "Box", "4": "b ox", "5": "b/ox"}
    found = file_names(names)
    assert len({*found.values()}) == 5
    assert file_names(dict(reversed(names.items()))) == found
    taken = file_names({"1": "Box"})["1"]
    again = file_names({"1": "Box", "2": taken})
    assert again["2"] == taken
    assert re.fullmatch("box-[0-9a-f]{16}", again["1"])


def test_every_beginning_of_a_digest_may_be_taken() -> None:
    """By names that somebody has chosen so."""
    names = {"1": "Box"}
    for number in range(4):
        names[f"taken {number}"] = file_names(names)["1"]
    found = file_names(names)
    assert len({*found.values()}) == 5
    assert SAFE.fullmatch(found["1"])
