"""Brute force on BurrTools files that knows where cells lie in space, and no lattice.

Cells are the sets of their corners, worked out from positions as the format describes them. A piece
is carried into the result by every rigid motion that takes its corners to corners of the result:
corners are matched one by one, by distances and by the sign of volumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.burrtools.format import BurrTools
from dovetail.puzzles.formats.burrtools.reader import BurrPiece, BurrProblem
from dovetail.puzzles.formats.burrtools.writer import file_writer

HEIGHT = 3**0.5 / 2
Corner = tuple[float, float, float]
Corners = frozenset[Corner]
Points = NDArray[np.float64]
Place = frozenset[tuple[Cell, int]]  # cells and their colours
Assembly = frozenset[tuple[int, Place]]


def file_of(text: str, encoding: str = "utf-8") -> TextFile:
    """Return a BurrTools file with `text`."""
    return TextFile(Path("burr.xmpuzzle"), text.encode(encoding))


def read_burrtools(file: TextFile) -> tuple[PackingPuzzle, ...]:
    """Return all problems of a file."""
    return tuple(BurrTools().read(file).puzzles)


def write_burrtools(puzzle: PackingPuzzle, solutions: Iterable[PackingSolution] = ()) -> str:
    """Return a BurrTools file of `puzzle` with `solutions`."""
    return solutions_text(file_writer(puzzle), solutions)


def corners(kind: str, position: Cell) -> Corners:
    """Return the corners of the cell at a position of a grid."""
    x, y, z = position
    found: list[Corner]
    match kind:
        case "0":
            found = [(x + a, y + b, z + c) for a, b, c in product((0, 1), repeat=3)]
        case "1":
            up = (x + y) % 2 == 0
            base, tip = (y, y + 1) if up else (y + 1, y)
            flat = [(x / 2, base), (x / 2 + 1, base), (x / 2 + 0.5, tip)]
            found = [(a, HEIGHT * b, z + c) for a, b in flat for c in (0, 1)]
        case "2":
            found = [(x, y, z)]
        case "3":
            found = _tetrahedron(position)
        case _:
            found = _tetrahedron_or_corner(position)
    return frozenset((round(a, 6), round(b, 6), round(c, 6)) for a, b, c in found)


def _tetrahedron(position: Cell) -> list[Corner]:
    """Return the cube's middle, a face's middle, and the ends of a side of the face."""
    cube, inside = zip(*(divmod(v, 5) for v in position), strict=True)
    face = [{0: 0.0, 4: 1.0}.get(v, 0.5) for v in inside]
    side = [{1: 0.0, 3: 1.0}.get(v, at) for v, at in zip(inside, face, strict=True)]
    along = inside.index(2)
    ends = [[end if axis == along else v for axis, v in enumerate(side)] for end in (0, 1)]
    points = [[0.5, 0.5, 0.5], face, *ends]
    return [(cube[0] + a, cube[1] + b, cube[2] + c) for a, b, c in points]


def _tetrahedron_or_corner(position: Cell) -> list[Corner]:
    """Return every other corner of a cube, or one of the rest with its three neighbours."""
    cube, inside = zip(*(divmod(v, 3) for v in position), strict=True)
    if inside == (1, 1, 1):
        cut_off = 1 - sum(cube) % 2
        found = [v for v in product((0, 1), repeat=3) if sum(v) % 2 != cut_off]
    else:
        own = tuple(v // 2 for v in inside)
        found = [
            v
            for v in product((0, 1), repeat=3)
            if sum(abs(a - b) for a, b in zip(v, own, strict=True)) <= 1
        ]
    return [(cube[0] + a, cube[1] + b, cube[2] + c) for a, b, c in found]


def motions(points: Points, targets: Points, hand: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield the ways to carry each point onto a target; reflected for hand -1."""
    own = np.linalg.norm(points[:, None] - points[None], axis=2)
    far = np.linalg.norm(targets[:, None] - targets[None], axis=2)
    frame = next(
        (
            four
            for four in combinations(range(len(points)), 4)
            if abs(np.linalg.det(points[list(four[1:])] - points[four[0]])) > 1e-6
        ),
        None,
    )

    def match(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(points):
            if frame is None or _sign(points, frame) == hand * _sign(targets[list(chosen)], frame):
                yield chosen
            return
        done = len(chosen)
        fits = np.all(abs(far[:, list(chosen)] - own[done, :done]) < 1e-5, axis=1)
        for target in np.flatnonzero(fits).tolist():
            if target not in chosen:
                yield from match((*chosen, target))

    yield from match(())


def _sign(points: Points, four: Sequence[int]) -> float:
    first, *rest = (points[n] for n in four)
    return float(np.sign(np.linalg.det(np.array(rest) - first)))


@dataclass
class AssemblyOracle:
    """The assemblies of a problem as BurrTools distinguishes them.

    Copies of one part are interchangeable, other parts never. The colours of placed parts count.
    """

    problem: BurrProblem

    def images(self, positions: Sequence[Cell], hand: int = 1) -> Iterator[tuple[Cell, ...]]:
        """Yield the images of cells within the result, in their order; reflected for hand -1."""
        its = [corners(self.problem.grid.kind, one) for one in positions]
        points = sorted(set().union(*its))
        targets = sorted(set().union(*self._cell_at))
        for motion in motions(np.array(points), np.array(targets), hand):
            image = {one: targets[n] for one, n in zip(points, motion, strict=True)}
            cells = [frozenset(image[corner] for corner in one) for one in its]
            if all(cell in self._cell_at for cell in cells):
                yield tuple(self._cell_at[cell] for cell in cells)

    def places(self, part: BurrPiece, hand: int = 1) -> frozenset[Place]:
        """Return the places of a part, its cells with their colours."""
        result, allowed = self.problem.result.colours, self._allowed
        colours = part.shape.colours
        return frozenset(
            frozenset(zip(image, colours.values(), strict=True))
            for image in self.images(tuple(colours), hand)
            if all(
                not (colour and result[cell]) or (colour, result[cell]) in allowed
                for colour, cell in zip(colours.values(), image, strict=True)
            )
        )

    @cached_property
    def assemblies(self) -> set[Assembly]:
        """All assemblies."""
        parts = self.problem.parts
        every = [self.places(part) for part in parts]
        optional = set(self.problem.result.variable)

        def fill(left: frozenset[Cell], laid: Assembly) -> Iterator[Assembly]:
            if not left:
                used = [sum(one == number for number, _ in laid) for one in range(len(parts))]
                if all(
                    part.min_count <= n <= part.max_count
                    for part, n in zip(parts, used, strict=True)
                ):
                    yield laid
                return
            cell = min(left)
            for number, places in enumerate(every):
                if sum(one == number for one, _ in laid) < parts[number].max_count:
                    for place in places:
                        cells = frozenset(one for one, _ in place)
                        if cell in cells and cells <= left:
                            yield from fill(left - cells, laid | {(number, place)})
            if cell in optional:
                yield from fill(left - {cell}, laid)

        return set(fill(frozenset(self.problem.result.colours), frozenset()))

    def up_to_rotation(self) -> int:
        """Return the number up to rotations that keep the states and colours of the result."""
        return self._classes([(turn, range(len(self.problem.parts))) for turn in self._turns(1)])

    def up_to_reflection(self) -> int:
        """Return the number up to reflections, if every piece has a mirror image."""
        left = list(range(len(self.problem.parts)))
        partners = list[int]()
        for part in self.problem.parts:
            mirrored = [n for n in left if self._is_mirror_image(part, self.problem.parts[n])]
            if not mirrored:
                return self.up_to_rotation()
            partners.append(mirrored[0])
            left.remove(mirrored[0])
        every = [(turn, range(len(partners))) for turn in self._turns(1)]
        return self._classes([*every, *((turn, partners) for turn in self._turns(-1))])

    def _classes(self, turns: list[tuple[dict[Cell, Cell], Sequence[int]]]) -> int:
        left, found = set(self.assemblies), 0
        while left:
            one = next(iter(left))
            left -= {
                frozenset(
                    (names[n], frozenset((turn[cell], colour) for cell, colour in place))
                    for n, place in one
                )
                for turn, names in turns
            }
            found += 1
        return found

    def _turns(self, hand: int) -> list[dict[Cell, Cell]]:
        result = self.problem.result
        cells, optional = tuple(result.colours), set(result.variable)
        turns = [dict(zip(cells, image, strict=True)) for image in self.images(cells, hand)]
        return [
            turn
            for turn in turns
            if {turn[cell] for cell in optional} == optional
            and all(result.colours[turn[cell]] == result.colours[cell] for cell in cells)
        ]

    def _is_mirror_image(self, part: BurrPiece, other: BurrPiece) -> bool:
        """Return True if a reflection carries a part to another that is used as often."""
        if (part.min_count, part.max_count) != (other.min_count, other.max_count):
            return False
        alone = AssemblyOracle(replace(self.problem, result=other.shape))
        colours = other.shape.colours
        return len(colours) == len(part.shape.colours) and any(
            [colours[cell] for cell in image] == list(part.shape.colours.values())
            for image in alone.images(tuple(part.shape.colours), -1)
        )

    @cached_property
    def _cell_at(self) -> dict[Corners, Cell]:
        kind = self.problem.grid.kind
        return {corners(kind, cell): cell for cell in self.problem.result.colours}

    @cached_property
    def _allowed(self) -> set[tuple[int, int]]:
        pairs = self.problem.element.all("bitmap", "pair")
        return {
            (int(one.attributes["piece"]) + 1, int(one.attributes["result"]) + 1) for one in pairs
        }
