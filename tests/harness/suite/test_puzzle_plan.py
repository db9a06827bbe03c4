"""A bench without a suite file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dovetail.backends.registry import backends
from dovetail.errors import ConfigError
from dovetail.harness.suite.plan import plan_of
from dovetail.harness.suite.suite_file import read_suite
from dovetail.puzzles.loading import load

SUITE = """\
name = "queens-6, langford-4"
repeats = 3
limits = { time_s = 5 }

[[run]]
puzzles = ["queens-6", "langford-4"]
backends = ["dlx", "cpsat"]
symmetry = "unique"
"""


def test_the_plan_is_that_of_a_suite_file(tmp_path: Path) -> None:
    """Job by job, so that records are of the same jobs."""
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    plan = plan_of(["queens-6", "langford-4"], "dlx, cpsat", 3, time_limit="5s")
    written = read_suite(path)
    assert (plan.name, plan.repeats) == (written.name, written.repeats)
    assert list(plan.jobs) == list(written.jobs)
    assert plan.rows == {}


def test_names_in_any_form() -> None:
    """One puzzle or several, texts with commas, each backend once."""
    plan = plan_of(load("queens-6"), ["dlx,bitset", "dlx"])
    assert [run.job.backend for run in plan.runs] == ["dlx", "bitset"]
    assert plan_of("queens-6", "dlx").jobs == plan_of(["queens-6"], ["dlx"]).jobs


def test_all_puzzles_of_a_file(tmp_path: Path) -> None:
    """Each is run."""
    two = "D:xDim=2:yDim=1:zDim=1\nC:name=A:layout=0 0 0, 1 0 0\n~D\n" * 2
    (tmp_path / "two.def").write_text(two)
    assert len(plan_of(tmp_path / "two.def", "dlx").runs) == 2


@pytest.mark.parametrize(
    ("puzzle", "some", "none"),
    [
        ("pentominoes-3x5-LPU", {"dlx", "fila", "frontier", "bitset"}, {"rows", "cpsat"}),
        ("edges-3-2-1", {"dlx", "bitset", "rows", "colorpair", "domains"}, {"fila", "choco"}),
        ("queens-6", {"dlx", "bitset"}, {"fila", "rows", "xcover"}),
    ],
)
def test_backends_by_default(puzzle: str, some: set[str], none: set[str]) -> None:
    """Those that are always installed and do not refuse the puzzle, in the order of the list."""
    chosen = [run.job.backend for run in plan_of(puzzle).runs]
    assert some <= set(chosen)
    assert not none & set(chosen)
    assert chosen == [name for name in backends() if name in chosen]


def test_triggers_leave_those_that_have_them() -> None:
    """The whole question decides, a piece that is still to be sampled too."""
    asked: dict[str, Any] = {"triggers": ["volume"], "reduce": ["probe"]}
    chosen = {run.job.backend for run in plan_of("pentominoes-3x20", **asked).runs}
    assert "dlx" in chosen
    assert "frontier" not in chosen


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"backends": "dxl"}, "unknown backend 'dxl'; "),
        ({"backends": "dlx,"}, "unknown backend ''; "),
        ({"backends": []}, "no backends given"),
        ({"backends": 5}, "backends is [5]; expected a list of names"),
        ({"backends": ["dlx", 5]}, "backends is ['dlx', 5]; expected a list of names"),
        ({"backends": "dlx", "config": {"speed": 9}}, "backend dlx has no config key 'speed'"),
        ({"repeats": 0}, "repeats is 0; expected 1 or more"),
        ({"repeats": True}, "repeats is True; expected 1 or more"),
        ({"puzzles": []}, "no puzzles given"),
        ({"puzzles": 5}, "puzzle is 5; expected a puzzle, a catalogue name or a file"),
        ({"puzzles": "queens-six"}, "no puzzle is called 'queens-six'"),
        ({"symmetry": "some"}, "unknown symmetry 'some'"),
        ({"limit": 1, "reduce": ["volume"]}, "queens-6 is a cover problem"),
    ],
)
def test_mistakes(asked: dict[str, Any], message: str) -> None:
    """One line that names the argument and what is expected."""
    with pytest.raises(ConfigError, match=re.escape(message)):
        plan_of(**{"puzzles": "queens-6", **asked})
