"""Exhibits in suite files: which runs are theirs, and what is wrong with bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.harness.exhibits import ExhibitType, Value
from dovetail.harness.suite.suite_file import read_suite
from harness.exhibits.suites import SUITE, written
from harness.suite.bench_here import assert_mistake

ALL = ["edges-4-b3i3-1", "edges-4-b3i3-2", "edges-4-b3i3-3"]


def test_series_find_their_runs(tmp_path: Path) -> None:
    """By backend and config, however that is written; boards are those asked of all series."""
    plan = read_suite(written(tmp_path))
    figure, choices, boards = plan.exhibits
    assert (figure.kind, figure.value, choices.base) == (ExhibitType.SORTED, Value.NODES, "fewest")
    assert [board.puzzle for board in figure.boards] == ALL
    assert figure.boards[0].jobs == boards.boards[0].jobs
    configs = [dict(plan.jobs[job].job.config) for job in choices.boards[1].jobs]
    assert configs == [{"choice": "fewest"}, {"choice": "per-edge"}, {"single_place": False}]
    assert [series.native for series in figure.series] == [None, "revisions"]
    assert boards.rows[0].nodes == {"rows": 1_234_567}


def test_exhibits_of_some_boards(tmp_path: Path) -> None:
    """`only` selects runs by puzzle or tag."""
    for only, boards in (("quick", ALL), ("edges-4-b3i3-2", ALL[1:2])):
        text = SUITE.replace('kind = "table"', f'kind = "table"\nonly = ["{only}"]')
        plan = read_suite(written(tmp_path, text))
        assert [board.puzzle for board in plan.exhibits[2].boards] == boards


def test_a_suite_may_also_improve_boards(tmp_path: Path) -> None:
    improving = '[[run]]\npuzzles = ["edges-4-b3i3-1"]\nimprovers = ["portfolio"]\n'
    text = SUITE.replace("[[exhibit]]", f"{improving}\n[[exhibit]]", 1)
    plan = read_suite(written(tmp_path, text))
    assert [board.puzzle for board in plan.exhibits[0].boards] == ALL


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('kind = "sorted"', 'kind = "sorting"', 23, "'table', 'rates' or 'levels'"),
        ('value = "nodes"', 'base = "rows"', 24, "base is for exhibits of kind sums"),
        ('base = "fewest"\n', "", 36, "an exhibit of kind sums needs one of its series"),
        ('name = "choices"', 'name = "My choices"', 34, "expected lower-case words joined by -"),
        ('"rows", pub', '"rovs", pub', 28, "'rovs'; did you mean 'rows'?"),
        ('{ choice = "fewest" }', "{ choise = 1 }", 38, "'choise'; did you mean 'choice'?"),
        ('"native:revisions"', '"natives"', 30, "expected nodes or native:COUNTER"),
        ("nodes = { rows =", "nodes = { row =", 50, "unknown series of this exhibit 'row'"),
        ("domains = 0.5", "domains = 0", 54, "more than 0"),
        ('["edges-4-b3i3-4"]', '["edges-4-b3i3-{3..4}"]', 28, "'rows' has two runs of edges-4-b"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one line."""
    assert old in SUITE
    text = SUITE.replace(old, new, 1)
    if "two runs" in message:  # of one question: only the reductions differ
        text = text.replace('symmetry = "all"', 'symmetry = "unique"')
    path = written(tmp_path, text)
    assert_mistake(path, line, message)


def test_series_without_a_board_in_common(tmp_path: Path) -> None:
    """An exhibit that could show nothing is a mistake."""
    text = SUITE.replace(
        'backends = ["rows"]', 'backends = ["domains"]\nconfig.domains.choice = "fewest"'
    )
    text = text.replace('  { choice = ["per-edge", "fewest"] },', '  { choice = "per-edge" },')
    with pytest.raises(FormatError, match="no board of this exhibit has runs of all its series"):
        read_suite(written(tmp_path, text))
