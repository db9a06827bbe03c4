"""Lattices by name, in plain data, and what is wrong with names, cells and tilings."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.models.lattices.kinds.plane import TRIANGLES
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Request


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("triangel", "unknown lattice 'triangel'; did you mean 'triangular'"),
        ("square-7", "unknown lattice 'square-7'.*valid: .*square-6"),
        ("square-\u0663", "unknown lattice 'square-\u0663'"),
        ("square-2 mod \u0663,3", "unknown lattice 'square-2 mod \u0663,3'"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    """With one that is meant, and the valid ones."""
    with pytest.raises(ConfigError, match=message):
        lattice_named(name)


@pytest.mark.parametrize("name", lattice_names())
def test_plans_have_lattices_by_name(name: str) -> None:
    """Other processes search the same puzzle."""
    lattice = lattice_named(name)
    cell = lattice.fundamental_cells[:1]
    plan = Plan(PackingPuzzle("one", lattice, cell, (Piece("A", cell),)), Request(), "dlx", {}, 0)
    text = plan_to_json(plan)
    assert json.loads(text)["packing"]["lattice"] == name
    read = plan_from_json(text).puzzle
    assert read == plan.puzzle
    assert read.digest == plan.puzzle.digest


def test_a_lattice_that_nobody_else_knows() -> None:
    """It can be searched here, but not named to another process."""
    lattice = PointLattice(replace(TRIANGLES, name="mine"))
    puzzle = PackingPuzzle("one", lattice, ((0, 0, 0),), (Piece("A", ((0, 0, 0),)),))
    with pytest.raises(ConfigError, match="lattice mine is not registered"):
        plan_to_json(Plan(puzzle, Request(), "dlx", {}, 0))


@pytest.mark.parametrize(("name", "cell"), [("spheres", (1, 0, 0)), ("hexagonal-edges", (0, 0, 3))])
def test_cells_off_the_lattice(name: str, cell: tuple[int, ...]) -> None:
    """A puzzle with one is refused by name."""
    lattice = lattice_named(name)
    assert not lattice.is_cell(cell)
    with pytest.raises(PuzzleError, match=f"which is not a cell of the {name} lattice"):
        PackingPuzzle("off", lattice, (cell,), (Piece("A", lattice.fundamental_cells[:1]),))
    with pytest.raises(PuzzleError, match="is not a cell"):
        lattice.neighbours(cell) if name != "spheres" else lattice.text_place(cell)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corners": {**TRIANGLES.corners, (1, 0, 0): ((9, 9),) * 3}}, "translates of each other"),
        ({"steps": ((1, 0), (2, 0))}, "does not span"),
        ({"generators": (((1, 1), (0, 1)),)}, "more than 48 isometries"),
        ({"generators": (((-1, 0), (0, 1)),)}, "an isometry does not map cells to cells"),
    ],
)
def test_tilings_that_contradict_themselves(changes: dict[str, object], message: str) -> None:
    """Found when the lattice is made, or when it first moves a cell."""
    with pytest.raises(PuzzleError, match=message):
        PointLattice(replace(TRIANGLES, **changes)).orientations(((0, 0, 0),), reflections=True)  # type: ignore[arg-type]  # one field each
