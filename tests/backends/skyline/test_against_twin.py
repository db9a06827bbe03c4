"""The kernel makes the nodes of a plain recursive search, and its counts are those of `dlx`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise, product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.registry import backend_named
from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator
from dovetail.backends.skyline.backend import SkylineConfig
from dovetail.backends.skyline.kernels.layout import UNRANKED, Boxes
from dovetail.backends.skyline.search import SkylineSearch
from dovetail.backends.skyline.tables import boxes_of
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

Place = tuple[int, int]


def cuboid(*sides: int) -> tuple[tuple[int, ...], ...]:
    """Return the cells of a box."""
    return tuple(product(*map(range, sides)))


@st.composite
def box_puzzles(draw: st.DrawFn) -> PackingPuzzle:
    """A box that is cut into boxes, with copies, spare pieces or space left over."""
    dimension = draw(st.integers(1, 3))
    longest = (9, 6, 3)[dimension - 1]
    extent = tuple(draw(st.integers(2, longest)) for _ in range(dimension))
    parts, cuts = [extent], draw(st.integers(1, 5))
    for _ in range(cuts):
        part = parts.pop(draw(st.integers(0, len(parts) - 1)))
        axis = draw(st.integers(0, dimension - 1))
        at = draw(st.integers(1, max(1, part[axis] - 1)))
        halves = [(*part[:axis], side, *part[axis + 1 :]) for side in (at, part[axis] - at)]
        parts += [half for half in halves if 0 not in half]
    is_open = draw(st.booleans())
    region = cuboid(*extent)
    must = draw(st.lists(st.sampled_from(region), max_size=2)) if is_open else []
    if is_open and len(parts) > 1:
        parts.pop()
    motions = draw(st.sampled_from([Motions.FREE, Motions.FREE, Motions.ONE_SIDED, Motions.FIXED]))
    pieces = []
    for number, (sides, same) in enumerate(groupby(sorted(parts))):
        count, least = len(list(same)), draw(st.integers(0, 5))
        low = count if least else count - 1
        high = count + draw(st.sampled_from([0, 0, 1]))
        pieces.append(Piece(f"P{number}", cuboid(*sides), low, high, motions))
    most = sum(piece.max_count * len(piece.cells) for piece in pieces)
    optional = tuple(cell for cell in region if is_open and cell not in must[:most])
    return PackingPuzzle(
        "boxes", SquareLattice(dimension), region, tuple(pieces), optional=optional
    )


@settings(max_examples=8, deadline=None, phases=[Phase.generate], derandomize=True)
@given(box_puzzles(), st.booleans())
def test_counts(puzzle: PackingPuzzle, breaks: bool) -> None:
    """All three counts are those of `dlx`, with and without symmetry breaking."""
    config = {"break_symmetry": breaks}
    for symmetry in Symmetry:
        request = Request(symmetry)
        expected = finish(execute(Job(puzzle, request, "dlx"))).count
        result = finish(execute(Job(puzzle, request, "skyline", config)))
        assert (result.status, result.count) == (Status.EXHAUSTED, expected)


class Twin:
    """The search in plain Python, with a table of dead states or without."""

    def __init__(self, boxes: Boxes, copies: NDArray[np.int64], knows: bool = True) -> None:
        self.boxes, self.copies, self.knows = boxes, copies, knows
        self.height, self.rows, self.columns = boxes.extent.tolist()
        self.floor = dict.fromkeys(product(range(self.rows), range(self.columns)), 0)
        self.types = list(zip(boxes.shape.tolist(), boxes.sides.tolist(), strict=True))
        self.nodes, self.found, self.root = 0, 0, UNRANKED
        self.dead: set[object] = set()

    def lost(self, run: int, axis: int) -> int:
        """The least that sums of unused sides leave of a run."""
        sums = {0}
        for shape, same in groupby(self.types, key=lambda each: each[0]):
            steps = {sides[axis] for _, sides in same}
            for _ in range(self.copies[shape]):
                sums |= {total + step for total in sums for step in steps}
        return run - max(total for total in sums if total <= run)

    def runs(self, lines: list[list[tuple[int, int]]], level: int) -> list[int]:
        """Lengths of the runs of open places along lines of the floor."""
        opened = [[self.floor[place] <= level for place in line] for line in lines]
        return [len(list(run)) for line in opened for is_open, run in groupby(line) if is_open]

    def unfillable(self) -> int:
        """How many cells cannot be filled at least."""
        upright = sum(self.lost(self.height - high, 0) for high in self.floor.values())
        along = [[(r, c) for c in range(self.columns)] for r in range(self.rows)]
        across = [list(line) for line in zip(*along, strict=True)] if self.rows > 1 else []
        flat = 0
        for level in range(min(self.floor.values()), self.height):
            losses = (
                sum(self.lost(run, 2) for run in self.runs(along, level)),
                sum(self.lost(run, 1) for run in self.runs(across, level)),
            )
            flat += max(losses)
        return max(upright, flat)

    def valleys(self) -> list[tuple[int, int, int]]:
        """Width, begin and depth of each valley of a floor that is a line."""
        skyline = [self.floor[0, c] for c in range(self.columns)]
        ends = [c for c in range(1, self.columns) if skyline[c] != skyline[c - 1]]
        found = []
        for begin, end in pairwise([0, *ends, self.columns]):
            walls = [skyline[begin - 1]] if begin else []
            walls += [skyline[end]] if end < self.columns else []
            depth = min([*walls, self.height]) - skyline[begin]
            if depth > 0:
                found.append((end - begin, begin, depth))
        return found

    def is_too_large(self, width: int, depth: int) -> bool:
        """Whether the unused pieces that are no wider than a valley have less area."""
        areas = {shape: sides[0] * sides[2] for shape, sides in self.types if sides[2] <= width}
        area = sum(area * int(self.copies[shape]) for shape, area in areas.items())
        return bool(width * depth > area)

    def has_place(self) -> bool:
        """Whether the piece with the fewest places has one above the skyline, or need not."""
        for which, corner, base in self.boxes.places.tolist():
            shape, (_, deep, wide) = self.types[which]
            if self.copies[shape] <= self.boxes.unused[shape]:
                return True
            row, column = divmod(corner, self.columns)
            floor = product(range(row, row + deep), range(column, column + wide))
            if all(self.floor[place] <= base for place in floor):
                return True
        return len(self.boxes.places) == 0

    def fitting(self, corner: tuple[int, int]) -> Iterator[tuple[int, int, int, list[Place]]]:
        """Number, shape, height and floor of each type that fits at a corner and leaves sums."""
        base, (row, column) = self.floor[corner], corner
        is_tight = self.rows == 1 and not self.boxes.spare
        for which, (shape, (up, deep, wide)) in enumerate(self.types):
            places = list(product(range(row, row + deep), range(column, column + wide)))
            above, fits = self.height - base - up, all(self.floor.get(p) == base for p in places)
            if not self.copies[shape] or above < 0 or not fits:
                continue
            width = min(self.valleys())[0] if is_tight else wide
            if is_tight and (self.lost(width - wide, 2) or self.lost(above, 0)):
                continue
            yield which, shape, up, places

    def search(self, allowed: int) -> None:
        """Search below a state, of which `allowed` cells may stay empty."""
        boxes, full = self.boxes, min(self.floor.values()) == self.height
        must = boxes.full.reshape(self.height, self.rows, self.columns)
        is_filled = not any(
            must[high:, row, column].any() for (row, column), high in self.floor.items()
        )
        if all(self.copies <= boxes.unused) and (full or (is_filled and not any(self.copies))):
            self.found += 1
            return
        if self.unfillable() > allowed:
            return
        if self.rows == 1:
            valleys = self.valleys()
            if not boxes.spare and any(self.is_too_large(w, depth) for w, _, depth in valleys):
                return
            corner = (0, min(valleys)[1] if valleys else 0)
        else:
            corner = min(self.floor, key=lambda place: (self.floor[place], place))
        key = (self.root, tuple(self.floor.values()), tuple(self.copies))
        if not self.has_place() or key in self.dead:
            return
        before, has_branches = self.found, False
        base, (row, column) = self.floor[corner], corner
        for which, shape, up, places in list(self.fitting(corner)):
            at = (base * self.rows + row) * self.columns + column
            option = boxes.option[which, at]
            is_root = not any(self.floor.values())
            least = boxes.rank[option] if is_root else self.root
            if option < 0 or boxes.least[option] < least:
                continue
            outer, self.root = self.root, least
            has_branches = True
            self.nodes += 1
            self.copies[shape] -= 1
            self.floor.update(dict.fromkeys(places, base + up))
            self.search(allowed)
            self.floor.update(dict.fromkeys(places, base))
            self.copies[shape] += 1
            self.root = outer
        if allowed > 0 and not full and not must[base, row, column]:
            has_branches = True
            self.floor[corner] = base + 1
            self.search(allowed - 1)
            self.floor[corner] = base
        if self.knows and has_branches and self.found == before:
            self.dead.add(key)


@settings(max_examples=15, deadline=None, phases=[Phase.generate], derandomize=True)
@given(box_puzzles(), st.booleans())
def test_nodes(puzzle: PackingPuzzle, breaks: bool) -> None:
    """Nodes are those of the twin, in slices of any length, and so is the tree of estimates."""
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    assert isinstance(options, PackingOptions)
    group = options.symmetries(Symmetry.MIRROR if breaks else Symmetry.ALL)
    placements = options.placements
    if not len(placements):
        return
    copies = np.array([shape.max_count for shape in placements.shapes])
    boxes = boxes_of(placements, group)
    twin, unknowing = Twin(boxes, copies), Twin(boxes, copies, knows=False)
    twin.search(boxes.spare)
    unknowing.search(boxes.spare)
    search = SkylineSearch(placements, options.placements_per_solution, group)
    while search.advance(Budget(work=50)) is None:
        search.take()
    assert (search.nodes, search.tree_nodes) == (twin.nodes, unknowing.nodes)
    guided = SkylineSearch(placements, options.placements_per_solution, group)
    levels = GuidedTreeEstimator(guided, 1, 10**6).levels(1)
    assert (levels[0, :-1].sum(), levels[0, -1]) == (unknowing.nodes, search.count)
    while guided.advance(Budget(work=10**6)) is None:
        guided.take()
    assert (guided.nodes, guided.count) == (search.nodes, search.count)  # as if it had begun anew
    if not breaks:
        assert search.count == twin.found


@pytest.mark.parametrize(
    ("puzzle", "reason"), [("queens-6", "packing puzzles only"), ("pentominoes-6x10", "unlike F")]
)
def test_refusals(puzzle: str, reason: str) -> None:
    """Other puzzles are refused with the reason."""
    result = finish(execute(Job(load(puzzle), Request(Symmetry.ALL), "skyline")))
    assert result.status == Status.SKIPPED
    assert reason in str(result.reason)


@pytest.mark.parametrize(("name", "unique"), [("partridge-5", 0), ("squares-32x33", 1)])
def test_known_counts(name: str, unique: int) -> None:
    """Published counts: no partridge of order 5, one squared rectangle of order 9."""
    result = finish(execute(Job(load(name), Request(Symmetry.UNIQUE), "skyline")))
    assert (result.status, result.count) == (Status.EXHAUSTED, unique)


def test_solutions_that_are_taken_late_are_kept() -> None:
    """Several slices find solutions before any is taken."""
    domino = Piece("D", ((0, 0), (1, 0)), min_count=12, max_count=12)
    puzzle = PackingPuzzle("dominoes-4x6", SquareLattice(2), cuboid(4, 6), (domino,))
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    assert isinstance(options, PackingOptions)
    search = SkylineSearch(options.placements, 12, options.symmetries(Symmetry.ALL))
    while search.advance(Budget(work=3_000)) is None:
        pass
    assert search.count == len(np.unique(search.take(), axis=0)) == 281


def test_estimate() -> None:
    """An estimate is of the tree without known states, which the search counts as saved."""
    job = Job(load("partridge-4"), Request(Symmetry.UNIQUE), "skyline")
    estimated, counters = estimate(job), finish(execute(job)).counters
    saved = counters.native["saved"]
    assert (estimated.source, estimated.why) == (EstimateSource.TREE, STEERED)
    assert (saved, estimated.nodes.mean) == (2, (counters.nodes or 0) + saved)


@pytest.mark.slow
def test_partridge() -> None:
    """The squares of order 8 fill 36x36 in 2,332 ways up to symmetry."""
    result = finish(execute(Job(load("partridge-8"), Request(Symmetry.UNIQUE), "skyline")))
    assert (result.status, result.count) == (Status.EXHAUSTED, 2332)


def test_a_limit_on_nodes_holds_for_its_slice_only() -> None:
    """Images that are still to be returned do not repeat the limit that their slice has met."""
    domino = Piece("I", cuboid(1, 2), 6, 6)
    task = build_task(PackingPuzzle("", SquareLattice(2), cuboid(3, 4), (domino,)), Request())
    search = backend_named("skyline").prepare(task, SkylineConfig())
    assert search.advance(Budget(10**6, nodes=7, solutions=1)) == Status.SOLUTION_LIMIT
    assert search.advance(Budget(10**6)) is None
    assert search.advance(Budget(10**6, nodes=0)) == Status.NODE_LIMIT
    assert search.advance(Budget(10**6)) == Status.EXHAUSTED
