"""Edge boards: drawn, and positions that are scored, saved, opened, locked and improved."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.harness.records.record_files import parse_records
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.boards.partial_board import mismatched_edges, score
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.registry import format_to_write
from dovetail.ui.boards import read_board_drawing, read_cells
from ui.served import Fields, Visitor

PUZZLE = random_board(4, 4, 3, 1, 3)  # that of the server
EMPTY: list[list[list[int] | None]] = [[None] * 4 for _ in range(4)]
SIDES = [[0, 1, 1, 0], [0, 0, 2, 1], [1, 3, 0, 0], [2, 0, 0, 3]]
DRAWN = {"name": "four", "width": 2, "height": 2, "tiles": SIDES}
POSITION = "/api/puzzles/p3/position"


def cells(*laid: tuple[int, int, int, int]) -> list[list[list[int] | None]]:
    """An empty board but for tiles: column, row, number and rotation."""
    rows = [list(row) for row in EMPTY]
    for x, y, tile, rotation in laid:
        rows[y][x] = [tile, rotation]
    return rows


def full() -> list[list[list[int] | None]]:
    """Every tile, unturned."""
    return cells(*((n % 4, n // 4, n, 0) for n in range(16)))


def test_a_drawn_board_is_shuffled_by_its_seed(visitor: Visitor) -> None:
    """The same seed gives the same tiles, each turned; without one they stay as they are."""
    plain = read_board_drawing(DRAWN).puzzle()
    assert plain.tiles == tuple(map(tuple, SIDES))
    (one, other), third = (
        [read_board_drawing(DRAWN | {"seed": 5}).puzzle().tiles for _ in range(2)],
        read_board_drawing(DRAWN | {"seed": 6}).puzzle().tiles,
    )
    assert one == other != third
    assert sorted(map(sorted, one)) == sorted(map(sorted, SIDES))
    (added,) = visitor.asked("/api/puzzles", board=DRAWN | {"seed": 5})
    assert (added["kind"], added["board"]["editable"]) == ("edges", True)
    assert visitor.get(f"/api/puzzles/{added['id']}/board").json()["width"] == 2


@pytest.mark.parametrize("suffix", [".json", ".txt"])
def test_a_drawn_board_is_saved(visitor: Visitor, suffix: str) -> None:
    """In each format of such boards; the file is read as the same puzzle."""
    text = visitor.asked("/api/boards/text", board=DRAWN, format=suffix)["text"]
    file = {"name": f"four{suffix}", "base64": base64.b64encode(text.encode()).decode()}
    (read,) = visitor.asked("/api/puzzles", file=file)
    words = [tile["words"] for tile in read["board"]["tiles"]]
    assert words == [" ".join(map(str, tile)) for tile in SIDES]


def test_what_rules_a_drawn_board_out(visitor: Visitor) -> None:
    """It is said as soon as all sides are painted, and what is missing before."""
    assert visitor.asked("/api/boards/facts", **DRAWN)["ruled_out"] == []
    odd = DRAWN | {"tiles": [[0, 1, 1, 0], *SIDES[1:3], [3, 0, 0, 3]]}
    (reason,) = visitor.asked("/api/boards/facts", **odd)["ruled_out"]
    assert "expected an even number" in reason
    missing = DRAWN | {"tiles": [[None, 1, 1, 0], *SIDES[1:]]}
    assert visitor.asked("/api/boards/facts", **missing)["rows"][0] == ["Sides painted", "15 of 16"]
    refused = visitor.post("/api/puzzles", json={"board": missing})
    assert (refused.status_code, "1 side without a colour" in refused.json()["error"]) == (
        400,
        True,
    )


def test_a_position_is_scored_by_the_model(visitor: Visitor) -> None:
    """Matched edges, the others, and the rule that a tile breaks."""
    rows = full()
    found = visitor.asked(POSITION, cells=rows)
    board = read_cells(PUZZLE, rows)
    expected = score(PUZZLE, board)
    assert found["score"] == f"{expected} of 24 edges match, 16 of 16 tiles placed"
    assert len(found["mismatched"]) == len(mismatched_edges(PUZZLE, board)) == 24 - expected
    assert "colour 0" in found["problem"]
    assert visitor.asked(POSITION, cells=EMPTY)["problem"] is None


@pytest.mark.parametrize("suffix", [".json", ".url"])
def test_a_position_is_saved_and_opened(visitor: Visitor, suffix: str) -> None:
    """In the formats of `dovetail improve`, even a position that breaks the frame."""
    rows = cells((0, 3, 0, 1), (1, 1, 1, 0))
    saved = visitor.asked(f"{POSITION}/file", cells=rows, format=suffix)
    file = {"name": saved["name"], "base64": base64.b64encode(saved["text"].encode()).decode()}
    opened = visitor.asked(POSITION, file=file)
    assert (opened["cells"], "colour 0" in opened["problem"]) == (rows, True)


def test_locked_tiles_are_hints(visitor: Visitor) -> None:
    """Of a puzzle of its own; without any it is the puzzle itself."""
    rows = cells((0, 3, 0, 0), (1, 1, 15, 2))
    assert visitor.asked(f"{POSITION}/puzzle", cells=rows, locked=[])["id"] == "p3"
    made = visitor.asked(f"{POSITION}/puzzle", cells=rows, locked=[[1, 1]])
    hints = visitor.get(f"/api/puzzles/{made['id']}").json()["board"]["hints"]
    assert hints == [vars(Hint(1, 1, 15, 2))]
    assert made["ruled_out"] is None
    wrong = visitor.asked(f"{POSITION}/puzzle", cells=cells((1, 1, 0, 0)), locked=[[1, 1]])
    assert "off the frame" in wrong["ruled_out"]


def test_improve_from_a_position(visitor: Visitor) -> None:
    """The race starts from it, as its record says, keeps the locked tile, and has a best board."""
    saved = visitor.asked(POSITION, cells=cells((1, 1, 15, 2)))["cells"]
    made = visitor.asked(f"{POSITION}/puzzle", cells=saved, locked=[[1, 1]])["id"]
    race = visitor.race(made, "breaks", find="improve", time_s=1, start=saved)
    *_, (_, last), _ = visitor.events(f"races/{race}")
    best = visitor.get(f"/api/races/{race}/lanes/0/board").json()["cells"]
    assert best[1][1] == [15, 2]
    records = visitor.get(f"/api/races/{race}/records").content
    (record,) = parse_records(records, Path("runs.jsonl")).records
    assert record.job.start == read_cells(PUZZLE, saved).cells
    shown = visitor.asked(POSITION, cells=best)["score"]
    assert shown.startswith(f"{last['lanes'][0]['best']['score']} of 24 edges match")


@pytest.mark.parametrize(
    ("path", "fields", "at"),
    [
        (POSITION, {"cells": [[None] * 4] * 3}, "cells"),
        (POSITION, {"cells": cells((0, 0, 16, 0))}, "cells[0][0]"),
        (POSITION, {"cells": cells((0, 0, 1, 0), (3, 2, 1, 1))}, "cells[2][3]"),
        (POSITION, {"file": {"name": "x.json", "base64": "?"}}, "file.base64"),
        (f"{POSITION}/puzzle", {"cells": EMPTY, "locked": [[0, 0]]}, "locked[0]"),
        ("/api/puzzles", {"board": DRAWN | {"width": 21}}, "width"),
        ("/api/puzzles", {"board": DRAWN | {"tiles": SIDES[:3]}}, "tiles"),
        ("/api/puzzles", {"board": DRAWN | {"tiles": [*SIDES[:3], [0, 0]]}}, "tiles[3]"),
    ],
)
def test_attacks(visitor: Visitor, path: str, fields: Fields, at: str) -> None:
    """Wrong sizes, wrong numbers and foreign tiles are refused with their places."""
    refused = visitor.post(path, json=fields)
    assert (refused.status_code, refused.json()["path"]) == (400, at), refused.text


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("count", "dlx", EMPTY), "only a race for the best board"),
        (("improve", "breaks", full()), "colour 0 exactly where the frame is"),
    ],
)
def test_a_start_that_is_none(
    visitor: Visitor, asked: tuple[str, str, object], message: str
) -> None:
    """No race starts, and the reason is said."""
    find, backend, start = asked
    fields = {"puzzle": "p3", "find": find, "lanes": [{"backend": backend}], "start": start}
    refused = visitor.post("/api/races", json=fields)
    assert (refused.status_code, refused.json()["path"]) == (400, "start")
    assert message in refused.json()["error"]


def test_a_board_with_a_hole_and_copies(visitor: Visitor) -> None:
    """A tile lies in as many cells as it has copies, flipped, and in no hole."""
    counts, holes = ((0, 2),), ((0, 0), (1, 1))
    puzzle = EdgePuzzle("odd", 2, 2, ((1, 2, 3, 4),), counts=counts, holes=holes)
    puzzle = replace(puzzle, unbounded=True, flippable=True)
    text = format_to_write(Path("odd.json"), puzzle).text(puzzle)
    content = base64.b64encode(text.encode()).decode()
    (added,) = visitor.asked("/api/puzzles", file={"name": "odd.json", "base64": content})
    shown = added["board"]
    assert (shown["turns"], shown["copies"], shown["holes"]) == (8, [2], [[0, 0], [1, 1]])
    address = f"/api/puzzles/{added['id']}/position"
    placed = visitor.asked(address, cells=[[None, [0, 7]], [[0, 0], None]])
    assert placed["score"].endswith("2 of 2 tiles placed")
    refused = visitor.post(address, json={"cells": [[[0, 0], None], [None, None]]})
    assert "is a hole" in refused.json()["error"]
