"""Batches of assemblies and of plans: read, checked, and the same in every way to read them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from disassembly.twin import random_burr
from dovetail import disassemble, solve
from dovetail.disassembly.assemblies import AssemblyBatch, PlacedCells, PuzzleAssemblies
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.kernels.states import NODE_FIRST, NODE_LEAVES, NODE_PARENT, Plans
from dovetail.disassembly.plan import (
    Assembly,
    Disassembly,
    Move,
    Outcome,
    PlanTable,
    Separation,
)
from dovetail.disassembly.replay import check_plans, plan_error
from dovetail.disassembly.search import TakingApart
from dovetail.errors import PuzzleError
from dovetail.harness.disassembling import take_apart
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.task import lower
from dovetail.puzzles.polyominoes import box

CUBES = SquareLattice(3)


def expected(puzzle: PackingPuzzle, solution: PackingSolution) -> Assembly:
    """Return the assembly of a solution: pieces in the order of the puzzle, fixed pieces last."""
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    placed = sorted(solution.placed, key=lambda each: order[each[0]])
    pieces = [puzzle.pieces[order[name]] for name, _ in placed]
    return Assembly(
        puzzle.lattice,
        (*(piece.name for piece in pieces), *(piece.name for piece in puzzle.fixed)),
        (*(cells for _, cells in placed), *(piece.cells for piece in puzzle.fixed)),
        (*(piece.weight for piece in pieces), *(1 for _ in puzzle.fixed)),
        (*(piece.groups for piece in pieces), *(() for _ in puzzle.fixed)),
    )


def test_options_and_solutions_give_the_same_assemblies() -> None:
    """Equal pieces, copies, optional copies and fixed pieces, in the order of the puzzle."""
    bar = ((0, 0), (1, 0))
    pieces = (
        Piece("last", bar, 1, 2, weight=3, groups=((2, 1),)),
        Piece("L", ((0, 0), (1, 0), (1, 1)), 0, 4),
        Piece("first", bar, 2, 2, groups=((1, 2), (2, 1))),
        Piece("dot", ((0, 0),), 0, 2),
    )
    wall = FixedPiece("wall", ((0, 0), (0, 1)))
    puzzle = PackingPuzzle("mixed", SquareLattice(2), box(3, 4), pieces, (wall,))
    options = lower(puzzle).options
    assert isinstance(options, PackingOptions)
    solutions = [
        each for each in solve(puzzle, symmetry="all") if isinstance(each, PackingSolution)
    ]
    number = {options.placed(n)[1]: n for n in range(options.option_count)}
    rows = np.full((len(solutions), 9), -1, dtype=np.int32)
    for row, solution in zip(rows, solutions, strict=True):
        chosen = [number[cells] for _, cells in solution.placed]
        row[: len(chosen)] = Random(7).sample(chosen, len(chosen))
    solutions = [options.solution(row[row >= 0].tolist()) for row in rows]
    reader = PuzzleAssemblies(puzzle, PlacedCells(puzzle.lattice))
    assemblies = [expected(puzzle, solution) for solution in solutions]
    assert len({len(each.names) for each in assemblies}) > 1
    for batch in (
        reader.of_options(options, rows),
        reader.of_solutions(solutions),
        AssemblyBatch.of(PlacedCells(puzzle.lattice), assemblies),
    ):
        assert [batch.assembly(n) for n in range(len(batch))] == assemblies
        assert batch.fewest_cells == 12


def test_solutions_of_other_puzzles_are_refused() -> None:
    """A piece that is not the puzzle's, or on cells outside its region or of another lattice."""
    bar = Piece("bar", ((0, 0), (1, 0)))
    puzzle = PackingPuzzle("two", SquareLattice(2), box(2, 1), (bar,))
    for name, cells in (
        ("other", bar.cells),
        ("bar", ((1, 0), (2, 0))),
        ("bar", ((0, 0, 0), (1, 0, 0))),
        ("bar", ()),
    ):
        solution = PackingSolution(((name, cells),))
        with pytest.raises(PuzzleError, match=f"two has no piece {name} on these cells"):
            list(take_apart(puzzle, [solution]))


def weighed(plan: Separation | None, weights: tuple[int, ...]) -> Separation | None:
    """Return a plan in which the heaviest pieces stay: the others move the opposite way."""
    if plan is None:
        return None
    moves = []
    for move in plan.moves:
        others = tuple(piece for piece in plan.pieces if piece not in move.pieces)
        heaviest, rest = (max(weights[piece] for piece in its) for its in (move.pieces, others))
        opposite = Move(others, tuple(-step for step in move.direction), move.steps)
        moves.append(opposite if heaviest > rest else move)
    halves = [weighed(half, weights) for half in (plan.stays, plan.leaves)]
    if moves[-1].pieces != plan.moves[-1].pieces:
        halves.reverse()
    return Separation(plan.pieces, tuple(moves), *halves)


def numbers_of(plan: Separation) -> tuple[int, ...]:
    parts = [number for part in (plan.stays, plan.leaves) if part for number in numbers_of(part)]
    return (len(plan.moves), *parts) if parts or len(plan.moves) > 1 else ()


def test_heavy_pieces_stay_in_every_move() -> None:
    draw, burrs = Random(3), [random_burr(seed, 0.45) for seed in range(30)]
    heavy = [replace(burr, weights=tuple(draw.choices((1, 2, 9), k=6))) for burr in burrs]
    plain, found = (TakingApart(CUBES).all(batch) for batch in (burrs, heavy))
    swapped = 0
    for burr, before, after in zip(heavy, plain, found, strict=True):
        assert after.plan == weighed(before.plan, burr.weights)
        assert (after.outcome, after.states) == (before.outcome, before.states)
        if after.plan is not None:
            assert plan_error(burr, after.plan) is None
            assert after.numbers == (numbers_of(after.plan) or (1,))
            assert after.sort_key == tuple(len(part.moves) for part in after.plan.all())
            swapped += after.sort_key != before.sort_key
    assert swapped > 0


def changed_tables(plans: Plans, at: int) -> Iterator[Plans]:
    """Yield plans with a mistake in the separation with a number, which is the first of a plan."""

    def changed(change: Callable[[Plans], object]) -> Plans:
        copy: Plans = deepcopy(plans)
        change(copy)
        return copy

    first = int(plans.node[at, NODE_FIRST])
    yield changed(lambda p: p.part.__setitem__(at, p.part[at] >> np.uint64(1)))
    yield changed(lambda p: p.part.__setitem__(at + 1, p.part[at]))
    yield changed(lambda p: p.moved.__setitem__(first, p.part[at]))
    yield changed(lambda p: p.moved.__setitem__(first, 0))
    yield changed(lambda p: p.moved.__setitem__(first, np.uint64(1) << np.uint64(63)))
    yield changed(lambda p: p.move.__setitem__((first, 1), -1))
    yield changed(lambda p: p.move.__setitem__((first, 1), 0))
    yield changed(lambda p: p.move.__setitem__((first, 1), 40))
    yield changed(lambda p: p.move.__setitem__((first, 0), -1))
    yield changed(lambda p: p.move.__setitem__((first, 0), p.move[first, 0] ^ 1))
    yield changed(lambda p: p.node.__setitem__((at, NODE_PARENT), at))
    yield changed(lambda p: p.node.__setitem__((at + 1, NODE_PARENT), -1))
    yield changed(lambda p: p.node.__setitem__((at + 1, NODE_LEAVES), 2))


def test_a_wrong_plan_of_a_batch_is_refused() -> None:
    searches, burrs = TakingApart(CUBES), [random_burr(seed, 0.45) for seed in range(30)]
    batch = AssemblyBatch.of(searches.table.placed, burrs)
    found = searches.batch(batch)
    apart = np.array([outcome is Outcome.APART for outcome in found.outcomes])
    table, refused = found.plans, 0
    check_plans(batch, table, apart)
    for number in np.flatnonzero(apart).tolist():
        if table.sort_keys[number][0] > 1:
            for wrong in changed_tables(table.plans, int(table.begin[number])):
                other = PlanTable(wrong, len(batch), directions_of(CUBES).vectors)
                other.begin = table.begin
                with pytest.raises(PuzzleError, match="a plan of a disassembly is wrong: "):
                    check_plans(batch, other, apart)
                refused += 1
    assert refused >= 26
    # A plan of which nothing is left.
    none = PlanTable.of([None] * len(burrs), directions_of(CUBES).vectors)
    with pytest.raises(PuzzleError, match="does not begin with all pieces"):
        check_plans(batch, none, apart)


def test_plans_are_read_as_they_were_written() -> None:
    burrs = [random_burr(seed, 0.45) for seed in range(20)]
    found = TakingApart(CUBES).all(burrs)
    table = PlanTable.of([each.plan for each in found], directions_of(CUBES).vectors)
    for number, each in enumerate(found):
        assert table.disassembly(number, each.outcome, each.states, "") == each
        assert table.sort_keys[number] == each.sort_key


def test_threads_and_batches_change_no_result() -> None:
    one, two = disassemble("soma-cube"), disassemble("soma-cube", jobs=2)
    assert [each.fields for each in two] == [each.fields for each in one]
    assert list(two) == list(one)
    assert hash(two[-1]) == hash(one[-1])
    first, second = (each.result.disassembled for each in (one, two))
    assert first is not None
    assert second is not None
    assert replace(second, seconds=first.seconds) == first


def test_results_and_options_are_pickled() -> None:
    """Also after solutions were read from the options."""
    found = disassemble("soma-cube", next(solve("soma-cube")))
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.disassembly.plan is not None
    for result in (found, Disassembly(Outcome.LOCKED, 7)):
        assert pickle.loads(pickle.dumps(result)) == result
    options = lower(
        PackingPuzzle("one", SquareLattice(2), box(1, 2), (Piece("I", box(1, 2)),))
    ).options
    solution = options.solution([0])
    assert pickle.loads(pickle.dumps(options)).solution([0]) == solution


def test_pieces_too_far_apart_are_refused() -> None:
    """A cube outside a shell seemed to be inside, since the vector between them did not fit."""
    hollow = tuple(cell for cell in box(3, 3, 3) if cell != (1, 1, 1))
    pieces = Piece("shell", hollow), Piece("cube", ((0, 0, 0),))
    below = tuple((x, y, z - 500_000) for x, y, z in hollow)
    for z, outcome in ((-400_000, Outcome.APART), (548_577, None)):
        puzzle = PackingPuzzle("far", CUBES, (*below, (1, 0, z)), pieces)
        (solution,) = solve(puzzle)
        if outcome is not None:
            assert disassemble(puzzle, solution).outcome is outcome
            continue
        with pytest.raises(PuzzleError, match="over 262,144 cells apart cannot be taken apart"):
            disassemble(puzzle, solution)


def test_a_single_piece_needs_no_states() -> None:
    """Also where its assembly is the first of a batch, and no state may be searched."""
    piece = Piece("A", ((0, 0),), 0, 1)
    puzzle = PackingPuzzle("up to one", SquareLattice(2), box(2, 1), (piece,), optional=box(2, 1))
    outcomes = [taken.outcome for taken in disassemble(puzzle, state_limit=0)]
    assert outcomes == [Outcome.APART] * 2
