"""Counts are held to what is recorded, and what differs is reported on one screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.backends.cpsat.backend import CpSat
from dovetail.errors import ConfigError, FormatError
from dovetail.harness.pytest_plugin.golden import read_golden
from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.harness.run.job import Limits
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from harness.pytest_plugin.conftest import QUEENS_5, QUEENS_6

Counting = Callable[..., SolutionCount]


def failure(golden: SolutionCount, *asked: object, **words: object) -> list[str]:
    """The lines in which a test fails."""
    with pytest.raises(pytest.fail.Exception) as raised:
        golden(*asked, **words)  # type: ignore[arg-type]
    return str(raised.value).splitlines()


def queens_6(golden: SolutionCount, **words: object) -> list[str]:
    """In which one of six queens fails."""
    return failure(golden, "queens-6", "dlx", symmetry="all", **words)


def test_the_result_is_that_of_counting(counting: Counting) -> None:
    """So that a test can go on."""
    result = counting(QUEENS_5, QUEENS_6)("queens-6", "dlx", symmetry="all")
    assert (result.status, result.count, result.nodes) == (Status.EXHAUSTED, 4, 110)


def test_what_is_not_recorded(counting: Counting) -> None:
    """The line that would record it, to be taken as it is."""
    assert queens_6(counting(QUEENS_5)) == [
        'no count is recorded: "queens-6 dlx all"',
        "  expected an entry in solution-counts.toml; this line would record the result:",
        f"  {QUEENS_6}",
        "  if the new figures are right, record them with: pytest --update-counts",
    ]


def test_a_wrong_count_comes_before_other_nodes(counting: Counting) -> None:
    """All that differs is marked."""
    wrong = QUEENS_6.replace("count = 4", "count = 12_345").replace("110", "111")
    assert queens_6(counting(QUEENS_5, wrong)) == [
        'the count has changed: "queens-6 dlx all"',
        "                      recorded               found",
        "  count                 12_345                   4  CHANGED",
        "  nodes                    111                 110  CHANGED",
        "  puzzle      971c70c762857c53    971c70c762857c53  same",
        "  recorded in solution-counts.toml:2",
        "  if the new figures are right, record them with: pytest --update-counts",
    ]


@pytest.mark.parametrize(
    ("recorded", "changed"),
    [
        (QUEENS_6.replace("110", "111"), "nodes"),
        (QUEENS_6.replace("nodes = 110, ", ""), "nodes"),
        (QUEENS_6.replace("971c", "0000"), "puzzle"),
    ],
)
def test_what_else_may_change(counting: Counting, recorded: str, changed: str) -> None:
    """Nodes, also those that were not recorded, and the puzzle, which is another then."""
    first, _, *rows = queens_6(counting(recorded))
    have = "have" if changed == "nodes" else "has"
    assert first == f'the {changed} {have} changed: "queens-6 dlx all"'
    assert [row.split()[0] for row in rows if row.endswith("  CHANGED")] == [changed]


def test_nodes_can_be_let_be(counting: Counting) -> None:
    """Where they hang on versions."""
    recorded = QUEENS_6.replace("110", "111")
    result = counting(recorded)("queens-6", "dlx", symmetry="all", nodes=False)
    assert result.nodes == 110


def test_a_run_that_is_cut_short_is_no_count(counting: Counting) -> None:
    """Whatever is recorded."""
    assert queens_6(counting(QUEENS_6), limits=Limits(nodes=90)) == [
        'the count is incomplete: "queens-6 dlx all"',
        "  status    node-limit",
        "  reason    none given",
        "  counted   at least 3",
    ]


def test_a_backend_that_is_not_installed(
    counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skips the test, also one of which nothing is recorded."""
    monkeypatch.setattr(CpSat, "missing", lambda self: "ortools")
    with pytest.raises(pytest.skip.Exception) as raised:
        counting()("queens-6", "cpsat")
    message = "backend cpsat needs ortools: pip install 'ortools>=9.12'"
    assert str(raised.value) == message


def test_what_cannot_be_used_is_raised(counting: Counting) -> None:
    """As by `dovetail.count`, without a word of how it was found out."""
    with pytest.raises(ConfigError, match="backend dlx has no config key 'stage'") as raised:
        counting()("queens-6", "dlx", config={"stage": "s"})
    shown = [entry.name for entry in raised.traceback.filter(raised)]
    assert shown == ["test_what_cannot_be_used_is_raised"]
    with pytest.raises(FormatError, match=r"solution-counts\.toml:2: not TOML: "):
        counting(QUEENS_5, "?")("queens-5", "dlx", symmetry="all")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'a "b"\n\0\x1b[31m', "a" * 999])
def test_hostile_names_are_shown_as_text(counting: Counting, tmp_path: Path, name: str) -> None:
    """And the line that is shown can be taken, whatever its length up to a limit."""
    domino = Piece("A", ((0, 0), (1, 0)))
    puzzle = PackingPuzzle(name, SquareLattice(2), ((0, 0), (1, 0)), (domino,))
    message = failure(counting(), puzzle, "dlx")
    assert all(line.isprintable() and len(line) < 1600 for line in message)
    (tmp_path / "copied.toml").write_text(message[2] + "\n")
    if len(name) < 500:
        assert len(read_golden(tmp_path / "copied.toml").entries) == 1
        assert counting(message[2])(puzzle, "dlx").count == 1
    changed = message[2].replace("count = 1", "count = 2")
    assert failure(counting(changed), puzzle, "dlx")[0].startswith("the count has changed: ")
    other = replace(puzzle, name="b")
    assert failure(counting(message[2]), other, "dlx")[0].startswith("no count is recorded: ")
