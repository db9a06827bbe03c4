"""Puzzles of the catalogue, of files and of drawings, as the page gets them."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request
from dovetail.models.task import build_task, lower
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import read_puzzles
from dovetail.ui import workspace as workspaces
from dovetail.ui.race import read_race
from dovetail.ui.requests import NotFoundError, RequestError, check_size
from dovetail.ui.solvers import solver_rows
from dovetail.ui.workspace import Workspace
from ui.served import BOARD, SIX, Fields, Visitor


def test_the_catalogue(visitor: Visitor) -> None:
    """Every row has a name that makes a puzzle, and says what it is."""
    rows = visitor.get("/api/catalogue").json()
    assert {row["kind"] for row in rows} == {"packing", "edges", "cover"}
    assert all(row["name"] in row["examples"] and row["family"] for row in rows)
    assert {row["name"] for row in rows if row["pattern"] is None} >= {"soma-cube"}


def test_a_puzzle_is_described(visitor: Visitor) -> None:
    """What it is, what is known of it, and who takes it."""
    puzzle = visitor.get("/api/puzzles/p1").json()
    assert (puzzle["name"], puzzle["kind"], puzzle["lattice"]) == (SIX, "packing", "square-2")
    explanation = visitor.get("/api/puzzles/p1/explanation").json()
    rows = {section["key"]: section["rows"] for section in explanation}
    assert list(rows) == ["puzzle", "reductions", "backends"]
    assert ["volume", "30 cells in one part"] in rows["puzzle"]
    assert ["dlx", "accepts it"] in rows["backends"]
    assert puzzle["summary"][0].startswith("6 kinds of piece")
    assert puzzle["picture"].startswith("<svg")
    assert puzzle["formats"]["puzzle"][:5] == [".svg", ".html", ".stl", ".xmpuzzle", ".toml"]
    solvers = {one["name"]: one for one in puzzle["solvers"]}
    assert next(iter(solvers)) == "auto"
    assert (solvers["dlx"]["lists"], solvers["dlx"]["steps"]) == (True, True)
    assert (solvers["bitset"]["steps"], solvers["bitset"]["refusal"]) == (False, None)
    assert "edge-matching" in solvers["rows"]["refusal"]
    assert solvers["dlx"]["settings"][0]["name"] == "stages"
    assert recommended(puzzle["solvers"], "solutions") == ["dlx", "fila", "bitset"]
    assert puzzle["editable"] is True
    assert visitor.get("/api/puzzles/p1/drawing").json()["drawing"]["name"] == SIX


@pytest.mark.parametrize("name", [SIX, BOARD])
def test_reductions_that_are_offered(visitor: Visitor, name: str) -> None:
    """Each can be asked of the puzzle; `probe` is left to the run, which makes the trials."""
    (puzzle,) = visitor.asked("/api/puzzles", name=name)
    assert ("redundancy:top-left" in puzzle["reductions"]) == (name == BOARD)
    for word in puzzle["reductions"]:
        if word != "probe":
            request = Request(reductions=(Reduction.parse(word),))
            assert build_task(catalogue_puzzle(name), request).reduced is not None


@pytest.mark.parametrize(
    ("lattice", "count", "has_steps"),
    [("square-2", 1000, True), ("square-2", 1001, False), ("square-5", 1, False)],
)
def test_steps_are_offered_where_they_can_be_shown(
    lattice: str, count: int, has_steps: bool
) -> None:
    found = lattice_named(lattice)
    row = [(x, *[0] * (len(found.axes) - 1)) for x in range(2 * count)]
    piece = Piece("I", tuple(row[:2]), count, count)
    rows = solver_rows(lower(PackingPuzzle("row", found, tuple(row), (piece,))))
    assert any(solver["steps"] for solver in rows) == has_steps


def recommended(rows: list[Fields], find: str) -> list[str]:
    """The solvers that race for this unless others are chosen; none that cannot."""
    found = [row for row in rows if find in row["recommended_for"]]
    assert all((row["refusal"], row["missing"]) == (None, None) for row in found)
    return [row["name"] for row in found]


def test_a_file_is_read_once(visitor: Visitor) -> None:
    """By its name and content; the same one is the same puzzle."""
    text = visitor.get("/api/puzzles/p1/export", params={"format": ".toml"}).text
    content = base64.b64encode(text.replace(SIX, "mine").encode()).decode()
    file = {"name": "mine.toml", "base64": content}
    (first,), (second,) = (visitor.asked("/api/puzzles", file=file) for _ in range(2))
    assert (first["name"], first["id"]) == ("mine", second["id"])
    wrong = visitor.post("/api/puzzles", json={"file": file | {"name": "mine.xmpuzzle"}})
    assert (wrong.status_code, "mine.xmpuzzle" in wrong.json()["error"]) == (400, True)


PAIR = """\
<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems><problem state="0"><shapes><shape id="0" count="2"/></shapes><result id="1"/><bitmap/>
</problem></problems></puzzle>
"""


def test_a_file_that_was_solved_meanwhile_is_stored() -> None:
    workspace = Workspace()
    stored = []
    for text in (PAIR, PAIR.replace('state="0"', 'state="2" assemblies="1"'), PAIR):
        file = TextFile(Path("pair.xmpuzzle"), text.encode())
        stored.append(workspace.add(read_puzzles(file)[0], file))
    assert [entry.identity for entry in stored] == ["p1", "p2", "p1"]
    counted = stored[1].puzzle
    assert isinstance(counted, PackingPuzzle)
    assert counted.assembled is not None
    assert counted.assembled.recorded == 1


def test_a_puzzle_of_a_race_can_be_read_when_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The view of the race asks for it."""
    monkeypatch.setattr(workspaces, "MAX_PUZZLES", 1)
    workspace = Workspace()
    stored = workspace.add(catalogue_puzzle("queens-4"))
    question, _ = read_race({"puzzle": "p1", "lanes": [{"backend": "dlx"}]}, workspace)
    workspace.add(catalogue_puzzle("queens-5"))
    assert workspace.puzzle("p1") is question.stored is stored
    assert [one.identity for one in workspace.puzzles()] == ["p2"]


def test_the_workspace_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest puzzle goes that was not offered."""
    monkeypatch.setattr(workspaces, "MAX_PUZZLES", 2)
    workspace = Workspace([(catalogue_puzzle("queens-4"), None)])
    for size in (5, 6):
        workspace.add(catalogue_puzzle(f"queens-{size}"))
    assert [one.puzzle.name for one in workspace.puzzles()] == ["queens-4", "queens-6"]
    with pytest.raises(NotFoundError):
        workspace.puzzle("p2")
    with pytest.raises(RequestError, match="2 puzzles are offered; there is room for no other"):
        Workspace([(catalogue_puzzle(f"queens-{size}"), None) for size in (4, 5, 6)])


def test_puzzles_that_are_added_together_do_not_drop_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not if some are stored already, and are the oldest."""
    monkeypatch.setattr(workspaces, "MAX_PUZZLES", 4)
    one, two, three, four, five = ((catalogue_puzzle(f"queens-{n}"), None) for n in range(4, 9))
    workspace = Workspace([one])
    for pair in (two, three, four):
        workspace.add(*pair)
    stored = workspace.add_all([one, two, three, five])
    assert workspace.puzzles() == stored
    with pytest.raises(RequestError, match="found 4 puzzles; there is room for 3"):
        workspace.add_all([two, three, four, five])


def test_a_board_with_copies_has_a_limited_number_of_cells() -> None:
    """Describing it takes as long as if all its tiles were different."""
    counts = ((0, 10_000),)
    board = EdgePuzzle("Wang", 100, 100, ((1, 1, 1, 1),), unbounded=True, counts=counts)
    with pytest.raises(RequestError, match="10,000 cells; expected at most 4,096"):
        check_size(board)
