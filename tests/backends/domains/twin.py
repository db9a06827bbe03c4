"""`domains` in plain Python: sets of (plane, type) by cell, of colours by edge, the same rules.

Built from the options. In a plain frame, a family has the cells with the same sides on the frame,
as the tiles may turn; all other boards are one family. A tile type is numbered among those of its
family, and the orientations that fit a cell, in the order of the options, are its planes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from dovetail.backends.domains.config import DomainsConfig
from dovetail.models.boards.edges import turned
from dovetail.models.options.edges import EdgeOptions
from oracle.brute_force import beside, cells_of

Candidate = tuple[int, int]  # plane, type
Colour = int
Frame = tuple[bool, ...]
MAX_COPIES = 4


@dataclass
class Record:
    """What is known at a node; cells by their own numbers."""

    domain: dict[int, set[Candidate]]
    colours: dict[frozenset[int], set[Colour]]
    copies: dict[int, int]
    needed: dict[int, int]
    several: set[int]
    untaken: set[int]
    touched: set[int]

    def copy(self) -> Record:
        """A record of its own."""
        return Record(
            {cell: set(its) for cell, its in self.domain.items()},
            {edge: set(its) for edge, its in self.colours.items()},
            dict(self.copies),
            dict(self.needed),
            set(self.several),
            set(self.untaken),
            set(self.touched),
        )


@dataclass
class Twin:
    """Counts nodes by open cells, cells forced, revisions; lists solutions in their order."""

    options: EdgeOptions
    config: DomainsConfig
    failures: Counter[int] | None = None
    """Failures of each cell, which the search leaves as they are; None to count them."""
    solutions: list[tuple[int, ...]] = field(default_factory=list)
    fits: Counter[int] = field(default_factory=Counter)
    forced: int = 0
    revisions: int = 0

    def __post_init__(self) -> None:
        puzzle = self.options.puzzle
        self.places = cells_of(puzzle)
        self.beside = [beside(puzzle.lattice, x, y) for x, y in self.places]
        self.frame = [tuple(place not in self.places for place in its) for its in self.beside]
        self._number_candidates()
        self.families: dict[tuple[int, ...], list[int]] = {}
        for cell in sorted(range(len(self.places)), key=lambda cell: -sum(self.frame[cell])):
            self.families.setdefault(self._family(self.frame[cell]), []).append(cell)
        self.order = [cell for family in self.families.values() for cell in family]
        self.rank = {cell: v for v, cell in enumerate(self.order)}
        self.weight = Counter(self.failures or {})
        self.queue = set[int]()
        self._search()

    def _number_candidates(self) -> None:
        """The option and the sides of a candidate in a cell, and the types of each family."""
        options = self.options
        rows = list(
            zip(
                options.cell.tolist(),
                options.tile_type.tolist(),
                options.sides.tolist(),
                strict=True,
            )
        )
        turns: dict[int, set[tuple[int, ...]]] = {}
        self.types: dict[tuple[int, ...], set[int]]
        self.types = {self._family(frame): set() for frame in self.frame}
        for cell, kind, sides in rows:
            turns.setdefault(kind, set()).add(tuple(sides))
            self.types[self._family(self.frame[cell])].add(kind)
        self.shown: dict[tuple[int, Candidate], tuple[int, ...]] = {}
        self.option: dict[tuple[int, Candidate], int] = {}
        for number, (cell, kind, sides) in enumerate(rows):
            fitting = [turn for turn in turns[kind] if options.puzzle.fits(turn, self.frame[cell])]
            plane = sorted(fitting).index(tuple(sides))
            self.shown[cell, (plane, kind)] = tuple(sides)
            self.option[cell, (plane, kind)] = number

    def _search(self) -> None:
        record = self._first_record()
        self.queue = set(self.order)
        if self._settle(record):
            self._branch(record)

    def _branch(self, record: Record) -> None:
        if not record.several:
            if not any(record.needed.values()):
                found = (self.option[cell, min(record.domain[cell])] for cell in self.order)
                self.solutions.append(tuple(found))
            return
        cell = self._best_cell(record)
        for candidate in sorted(record.domain[cell]):
            self.fits[len(record.several)] += 1
            below = self._placed(record, cell, candidate)
            if self._settle(below):
                self._branch(below)

    def _placed(self, record: Record, cell: int, candidate: Candidate) -> Record:
        """A candidate put into a cell; what follows waits in the queue."""
        below = record.copy()
        below.domain[cell] = {candidate}
        below.several.remove(cell)
        below.touched.add(cell)
        self.queue = {cell}
        return below

    def _best_cell(self, record: Record) -> int:
        """The cell to branch on."""
        return min(record.several, key=lambda cell: self._score(record, cell))

    def _score(self, record: Record, cell: int) -> tuple[float, int, int]:
        """The least is branched on."""
        parts = 1
        if self.config.choice == "per-edge":
            parts += 2 * sum(len(record.colours[edge]) > 1 for _, edge, _ in self._sides(cell))
        return len(record.domain[cell]) / parts, -self.weight[cell], self.rank[cell]

    def _settle(self, record: Record) -> bool:
        """Whether nothing contradicts what follows."""
        while True:
            while self.queue:
                cell = min(self.queue, key=lambda cell: self.rank[cell])
                self.queue.remove(cell)
                if not self._revise(record, cell):
                    return False
            if not self.config.single_place:
                return True
            forced = self._force_places(record)
            if not forced:
                return forced is not None

    def _revise(self, record: Record, cell: int) -> bool:
        self.revisions += 1
        left = {
            candidate
            for candidate in record.domain[cell]
            if all(
                self._colours(cell, candidate, side) & record.colours[edge]
                for side, edge, _ in self._sides(cell)
            )
        }
        if left == record.domain[cell] and cell not in record.touched:
            return True
        if not left:
            self.weight[cell] += self.failures is None
            return False
        record.domain[cell] = left
        record.touched.discard(cell)
        for side, edge, beyond in self._sides(cell):
            allowed = (self._colours(cell, candidate, side) for candidate in left)
            colours = record.colours[edge].intersection(set().union(*allowed))
            if colours != record.colours[edge]:
                record.colours[edge] = colours
                if len(colours) <= self.config.lazy_colours:
                    self.queue.add(beyond)
        if len(left) == 1 and cell in record.several:
            record.several.remove(cell)
            self.forced += 1
        kinds = {kind for _, kind in left}
        if len(kinds) == 1 and cell in record.untaken:
            record.untaken.remove(cell)
            self._take(record, cell, *kinds)
        return True

    def _take(self, record: Record, cell: int, kind: int) -> None:
        record.copies[kind] -= 1
        record.needed[kind] = max(0, record.needed[kind] - 1)
        if record.copies[kind]:
            return
        for other in record.untaken:
            left = {candidate for candidate in record.domain[other] if candidate[1] != kind}
            if left != record.domain[other]:
                record.domain[other] = left
                record.touched.add(other)
                if len(left) <= self.config.lazy_candidates:
                    self.queue.add(other)

    def _force_places(self, record: Record) -> bool | None:
        """Whether some cell has been forced; None for a contradiction."""
        forced = False
        for frame, family in self.families.items():
            cells = [cell for cell in family if cell in record.untaken]
            kinds = {cell: {kind for _, kind in record.domain[cell]} for cell in cells}
            places = Counter(kind for its in kinds.values() for kind in its)
            just_enough = set[int]()
            for kind in self.types[frame]:
                needed = record.needed[kind]
                if places[kind] < min(needed, MAX_COPIES):
                    return None
                if 0 < needed == places[kind] <= MAX_COPIES:
                    just_enough.add(kind)
            forced = forced or bool(just_enough)
            for cell in cells:
                its = kinds[cell] & just_enough
                if len(its) > 1:
                    return None
                if its:
                    left = {one for one in record.domain[cell] if one[1] in its}
                    record.domain[cell] = left
                    record.touched.add(cell)
                    self.queue.add(cell)
        return forced

    def _first_record(self) -> Record:
        domain: dict[int, set[Candidate]] = {cell: set() for cell in self.order}
        for cell, candidate in self.option:
            if self._is_balanced():
                domain[cell].add(candidate)
        colours: dict[frozenset[int], set[Colour]] = {}
        for cell, candidate in self.option:
            for side, edge, _ in self._sides(cell):
                colours.setdefault(edge, set()).update(self._colours(cell, candidate, side))
        for cell in self.order:
            for _, edge, _ in self._sides(cell):
                colours.setdefault(edge, set())
        copies = {kind: len(each.tiles) for kind, each in enumerate(self.options.types)}
        needed = {kind: each.least for kind, each in enumerate(self.options.types)}
        cells = set(self.order)
        return Record(domain, colours, copies, needed, set(cells), set(cells), set(cells))

    def _is_balanced(self) -> bool:
        """Whether the tiles of each family can fill its cells, and all others may be left."""
        types = self.options.types
        placeable = set().union(*self.types.values())
        return all(kind in placeable or not each.least for kind, each in enumerate(types)) and all(
            sum(types[kind].least for kind in self.types[frame])
            <= len(cells)
            <= sum(len(types[kind].tiles) for kind in self.types[frame])
            for frame, cells in self.families.items()
        )

    def _family(self, frame: Frame) -> tuple[int, ...]:
        """The same for all cells that the same tiles may fit."""
        puzzle = self.options.puzzle
        if puzzle.unbounded or puzzle.frame is not None:
            return ()
        turns = 1 if puzzle.fixed else len(frame) * (1 + puzzle.flippable)
        return max(turned(frame, turn) for turn in range(turns))

    def _colours(self, cell: int, candidate: Candidate, side: int) -> set[Colour]:
        """Colours that an edge may have: what the tile of the cell shows that owns it."""
        puzzle, shown = self.options.puzzle, self.shown[cell, candidate][side]
        owned = puzzle.geometry.owns(cell, side)
        return {shown} if owned else {*puzzle.mates(shown)}

    def _sides(self, cell: int) -> Iterator[tuple[int, frozenset[int], int]]:
        """The sides that do not lie on the frame, their edges, the cells beyond."""
        for side, place in enumerate(self.beside[cell]):
            if not self.frame[cell][side]:
                beyond = self.places.index(place)
                yield side, frozenset((cell, beyond)), beyond
