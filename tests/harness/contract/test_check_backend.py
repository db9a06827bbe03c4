"""The contract in a child process, and the counts that it expects by the tests' brute force."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dovetail.backends.registry import registry
from dovetail.harness.contract import cases as contract_cases
from dovetail.harness.contract.cases import BOARDS, CASES, COUNTS, COVERS, PACKINGS, Case
from dovetail.harness.contract.check_backend import check_backend
from dovetail.harness.contract.subject import Judgement
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.platform.processes import descendants
from oracle.brute_force import boards, labelled_boards, packings

SOURCE = Path(__file__).parent


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broken backends, by their entry points, here and in child processes."""
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    points = [f"{name} = broken_backends:{name.capitalize()}" for name in ("dies", "hangs")]
    (metadata / "entry_points.txt").write_text("\n".join(["[dovetail.backends]", *points, ""]))
    folders = [str(tmp_path), str(SOURCE)]
    paths = [*folders, *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    for folder in folders:
        monkeypatch.syspath_prepend(folder)
    registry.cache_clear()
    yield
    registry.cache_clear()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "patience_s", "reason"),
    [
        ("dies", 60.0, "it ended with exit status 7"),
        ("hangs", 3.0, "it did not return within 3 s and was killed"),
    ],
)
def test_a_backend_that_is_lost(name: str, patience_s: float, reason: str) -> None:
    """The check has failed, those before and after it are as they are; no process is left."""
    verdicts = list(check_backend(name, ["one-way", "bounds", "empty"], patience_s))
    assert [verdict.check for verdict in verdicts] == ["one-way", "bounds", "empty"]
    ok, failed = Judgement.OK, Judgement.FAILED
    assert [verdict.judgement for verdict in verdicts] == [ok, failed, ok]
    assert verdicts[1].reason == reason
    assert descendants(os.getpid()) == []


@pytest.mark.usefixtures("installed")
def test_a_backend_that_is_lost_again_and_again() -> None:
    """It is given up, and what was not run is not passed."""
    verdicts = list(check_backend("dies", ["bounds", "bounds-and-colours", "bounds", "empty"]))
    assert [verdict.judgement for verdict in verdicts] == [*["failed"] * 3, "not-run"]
    assert all(verdict.is_wrong for verdict in verdicts)
    assert verdicts[-1].reason == "3 processes crashed or were killed before this check"


def is_plain(puzzle: PackingPuzzle) -> bool:
    """Whether the oracle counts such a puzzle."""
    listed = any(piece.placements is not None for piece in puzzle.pieces)
    ranges = any(piece.min_count != piece.max_count for piece in puzzle.pieces)
    return not (puzzle.optional or listed or ranges) and len(puzzle.region) < 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts(case: Case) -> None:
    """All that brute force can count: every solution, without symmetry."""
    assert COUNTS.get(case.puzzle.name, case.count) == case.count or case.symmetry != "all"
    if case.symmetry != "all":
        return
    match case.puzzle:
        case EdgePuzzle() as board if case.labelled:
            assert case.count == len(labelled_boards(board))
        case EdgePuzzle() as board:
            assert case.count == len(boards(board))
        case PackingPuzzle() as puzzle if is_plain(puzzle) and not case.labelled:
            assert case.count == packings(puzzle)
        case CoverProblem() as problem:
            assert case.count == len(contract_cases.covers(problem))


def test_puzzles_of_all_families_are_there() -> None:
    """Packing, edge matching, and covers with secondary items, colours and bounds."""
    assert {type(case.puzzle) for case in PACKINGS} == {PackingPuzzle}
    assert {type(case.puzzle) for case in BOARDS} == {EdgePuzzle}
    problems = [case.puzzle for case in COVERS if isinstance(case.puzzle, CoverProblem)]
    assert any(problem.item_count > problem.primary_count for problem in problems)
    assert any(problem.colour.any() for problem in problems)
    assert not all(problem.unit_bounds for problem in problems)
    assert {case.symmetry for case in CASES} == {"all", "unique", "mirror"}
