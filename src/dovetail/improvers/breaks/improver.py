"""The improver `breaks`: depth-first search in a fixed order, with late mismatches.

The search uses up some colours first. The remaining tiles then have fewer colours and match more
easily.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config, setting
from dovetail.errors import ConfigError
from dovetail.improvers.base import Improver, ImprovingSearch, Placed
from dovetail.improvers.breaks.holes import HolesSearch
from dovetail.improvers.breaks.kernels import breaks as kernel
from dovetail.improvers.breaks.kernels.breaks import Apart, BreaksLists, BreaksRules, BreaksStack
from dovetail.improvers.shared.board import (
    BOARDS,
    NODES,
    BoardArrays,
    allowed_by_model,
    completed,
    fill_order,
)
from dovetail.kernels import layout
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.expected_boards import filling_of
from dovetail.models.boards.geometry import Position, opposite
from dovetail.models.boards.orders import BEST, DEFAULT, check_order
from dovetail.models.boards.partial_board import Objective
from dovetail.random_stream import RandomStream, random_words

BY_COLOUR = 2  # the list of a cell is looked up by the colours of at most this number of neighbours

Known = tuple[int, ...]  # sides of a cell towards tiles that are laid before the cell
# The lists of a cell, one after the other. By entry: the pair of colours of its list, as first ·
# number of colours + second, ascending; whether the entry has a mismatch; the orientation.
CellLists = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]


def make_lists(
    board: BoardArrays, order: Sequence[int], preferred: NDArray[np.uint32], seed: int
) -> BreaksLists:
    """Return the lists of all cells of an order.

    `preferred`, shape (4 n,), has the number of sides of an orientation that have preferred
    colours. In a list, matching orientations come before orientations with a mismatch. Within both
    groups, orientations with more preferred sides come first. Ties are in random order, by `seed`.
    """
    found: list[CellLists] = []
    numbers: dict[tuple[int, Known], int] = {}
    steps = np.zeros((len(order), 1 << int(kernel.STEP_BITS)), dtype=np.uint32)
    pairs = board.colours**2
    for row, cell, known in zip(steps, order, board.known_sides(order), strict=True):
        context = int(board.cell_frame[cell]), known[:BY_COLOUR]
        if context not in numbers:
            numbers[context] = len(found)
            found.append(_cell_lists(board, *context, preferred, seed))
        row[kernel.LISTS] = numbers[context] * pairs
        _write_step(row, board, cell, known)
    keys = np.concatenate([keys + number * pairs for number, (keys, _, _) in enumerate(found)])
    exact = ~np.concatenate([mismatched for _, mismatched, _ in found])
    begin = np.searchsorted(keys, np.arange(len(found) * pairs + 1))
    matching = np.concatenate([[0], np.cumsum(exact)])
    return BreaksLists(
        sides=board.sides.astype(np.uint32).reshape(-1),
        steps=steps.reshape(-1),
        begin=begin.astype(np.uint32),
        mismatched=(begin[:-1] + matching[begin[1:]] - matching[begin[:-1]]).astype(np.uint32),
        entries=np.concatenate([orientations for *_, orientations in found]).astype(np.uint32),
        preferred=preferred,
    )


def entry_count(board: BoardArrays, order: Sequence[int]) -> int:
    """Return an estimate of the number of entries of the lists."""
    contexts = {
        (int(board.cell_frame[cell]), known[:BY_COLOUR])
        for cell, known in zip(order, board.known_sides(order), strict=True)
    }
    fitting = np.bincount(board.frame, minlength=16)
    return sum(int(fitting[frame]) * board.colours * len(known) for frame, known in contexts)


def _write_step(row: NDArray[np.uint32], board: BoardArrays, cell: int, known: Known) -> None:
    """Write the row of a cell in `steps`, apart from the entry `LISTS`."""
    nothing = 4 * board.cells  # index of the last entry of `shown`, which is always 0
    facing = [4 * int(board.neighbours[cell, side]) + opposite(side) for side in known]
    facing += [nothing] * (BY_COLOUR - len(known))
    row[kernel.SHOWS_AT] = 4 * cell
    row[kernel.FIRST_KNOWN], row[kernel.SECOND_KNOWN] = facing[:BY_COLOUR]
    row[kernel.FURTHER] = max(0, len(known) - BY_COLOUR)
    at = int(kernel.FURTHER_KNOWN)
    for place, side in zip(facing[BY_COLOUR:], known[BY_COLOUR:], strict=True):
        row[at : at + 2] = place, side
        at += 2


def _cell_lists(
    board: BoardArrays, frame: int, known: Known, preferred: NDArray[np.uint32], seed: int
) -> CellLists:
    """Return the lists of a cell with the frame `frame` and the known sides `known`.

    There are at most `BY_COLOUR` known sides. An orientation in a list mismatches at 1 known side
    at most.
    """
    fitting = board.fitting(frame)
    colours = np.unique(board.sides[board.sides > 0])
    pair = np.zeros((len(fitting), BY_COLOUR), dtype=np.int64)
    pair[:, : len(known)] = board.sides[fitting][:, list(known)]
    pairs, flags, orientations = [pair], [np.zeros(len(fitting), dtype=bool)], [fitting]
    for place in range(len(known)):
        other = np.repeat(pair, len(colours), axis=0)
        other[:, place] = np.tile(colours, len(fitting))
        differs = other[:, place] != np.repeat(pair[:, place], len(colours))
        pairs.append(other[differs])
        flags.append(np.ones(int(differs.sum()), dtype=bool))
        orientations.append(np.repeat(fitting, len(colours))[differs])
    keys = np.concatenate(pairs) @ np.array([board.colours, 1])
    mismatched, orientation = np.concatenate(flags), np.concatenate(orientations)
    ties = random_words(seed, 0, len(keys))
    order = np.lexsort((ties, -preferred[orientation].astype(np.int64), mismatched, keys))
    return keys[order], mismatched[order], orientation[order]


@dataclass(frozen=True)
class MismatchSchedule:
    """Limits on a board after each step, and the number of nodes before a restart."""

    allowed: Sequence[int]  # largest number of mismatches after each step
    quota: Sequence[int]  # least number of sides of preferred colours after each step
    restart_nodes: int  # number of nodes before a restart, which puts the lists into another order
    apart: bool = False  # True if no tile may have two mismatches


class BreaksSearch(ImprovingSearch):
    """Depth-first search that fills the free cells of a board in an order."""

    def __init__(
        self,
        board: BoardArrays,
        order: Sequence[int],
        schedule: MismatchSchedule,
        preferred: NDArray[np.uint32],
        seed: int,
    ) -> None:
        super().__init__(board)
        self._board, self._order, self._schedule = board, order, schedule
        self._preferred, self._random = preferred, RandomStream(seed)
        self._restarts, self._restart_at = 0, schedule.restart_nodes
        self._stack = empty_stack(board, len(order))
        self._rules = make_rules(board, order, schedule)
        self._apart = empty_apart(board, len(order)) if schedule.apart else None
        self._lists = self._new_lists()
        self._begin()

    @property
    def nodes(self) -> int:
        return int(self._stack.state[layout.NODES])

    @property
    def counters(self) -> dict[str, int]:
        return {"restarts": self._restarts}

    def advance(self, budget: Budget) -> bool:
        nodes = max(1, min(budget.work, self._restart_at - self.nodes))
        tables = self._lists, self._rules, self._stack, self._apart
        ended = kernel.search(*tables, np.uint64(self._board.colours), np.uint64(nodes))
        over = self.nodes >= self._restart_at
        if ended == BUFFER_FULL or over:
            self._take_record()
        if ended == EXHAUSTED:
            return self._allow_more()
        if over:
            self._restarts += 1
            self._restart_at = self.nodes + self._schedule.restart_nodes
            self._lists = self._new_lists()
            self._begin()
        return True

    def _allow_more(self) -> bool:
        """Allow another mismatch after all allowed boards were tried.

        Returns False if no limit excluded a board, else True. Quotas and the rule that mismatches
        must not touch are dropped. A restart with other lists is of no use, since it would try the
        same boards.
        """
        rules = self._rules
        any_board = np.all(rules.allowed >= rules.joined) and not rules.quota.any()
        if any_board and self._apart is None:
            return False
        rules.allowed[:] += np.uint64(1)
        rules.quota[:] = 0
        self._apart = None
        self._begin()
        return True

    def _new_lists(self) -> BreaksLists:
        return make_lists(self._board, self._order, self._preferred, self._random.word())

    def _begin(self) -> None:
        """Take all tiles but the hinted tiles off, and begin again."""
        self._stack.used[:] = 0
        if self._apart is not None:
            self._apart.touched[:] = 0
        kernel.begin(self._lists, self._rules, self._stack, np.uint64(self._board.colours))

    def _take_record(self) -> None:
        """Complete the best partial board, if it is new, and keep the full board if it is better.

        A slice does not complete boards at its end, because results must not depend on where slices
        end.
        """
        filled = int(self._stack.state[kernel.IMPROVED])
        if not filled:
            return
        self._stack.state[kernel.IMPROVED] = 0
        self.keep(*completed(self._board, self._order, self._stack.record[:filled]))


def empty_stack(board: BoardArrays, steps: int) -> BreaksStack:
    """Return a stack for a number of steps; only hinted tiles are on the board."""
    at, mismatch_begin, end, missed, reached = np.zeros((5, steps + 1), dtype=np.uint64)
    return BreaksStack(
        shown=board.hinted_sides.astype(np.uint32),
        used=np.zeros(board.cells, dtype=np.uint8),
        at=at,
        mismatch_begin=mismatch_begin,
        end=end,
        missed=missed,
        reached=reached,
        chosen=np.zeros(steps, dtype=np.uint32),
        record=np.zeros(steps, dtype=np.uint32),
        state=np.zeros(kernel.STATE_SIZE, dtype=np.uint64),
    )


def empty_apart(board: BoardArrays, steps: int) -> Apart:
    """Return tables for a number of steps, without mismatches."""
    return Apart(np.zeros(board.cells, dtype=np.uint8), np.zeros(steps, dtype=np.uint32))


def make_rules(board: BoardArrays, order: Sequence[int], schedule: MismatchSchedule) -> BreaksRules:
    """Return the rules of a schedule for the cells of an order."""
    joined = np.cumsum([len(known) for known in board.known_sides(order)])
    return BreaksRules(
        allowed=np.array(schedule.allowed, dtype=np.uint64),
        quota=np.array(schedule.quota, dtype=np.uint64),
        joined=joined.astype(np.uint64),
    )


SPARE = 1.1  # colours with more than SPARE times the sides of a quota are not used up by it
MODEL = "model"
MAX_ENTRIES = 50_000_000
HOLES_NODES = 5_000_000  # nodes before a restart, for the objective tiles
COLOURS_FIRST = 2
MAX_DIGITS = 10
MAX_NODES = 2**62  # limit of the setting `restart_nodes`; sums of nodes must fit a word


def allowed_from(depths: Sequence[int], steps: int) -> list[int]:
    """Return the number of mismatches allowed after each step if each depth unlocks a mismatch.

    A depth is a number of filled cells.
    """
    return [sum(depth <= step + 1 for depth in depths) for step in range(steps)]


@dataclass(frozen=True)
class Preset:
    """A published schedule: the depths that unlock mismatches, and further rules."""

    cells: int  # number of cells of the board
    depths: tuple[int, ...]  # numbers of filled cells at which another mismatch unlocks, ascending
    # Points (cells, sides), ascending: least number of sides with preferred colours after cells.
    # Between the points, the quota is interpolated linearly. There is no quota before the first
    # point and after the last.
    quotas: tuple[tuple[int, float], ...]
    # Number of cells that are filled row by row; the others are filled column by column.
    in_rows: int
    restart_nodes: int  # number of nodes before a restart
    apart: bool  # True if no tile may have two mismatches

    @property
    def max_quota(self) -> int:
        """Largest quota, in sides of preferred colours."""
        return max(map(self.quota, range(self.cells)))

    def quota(self, filled: int) -> int:
        """Return the required number of sides of preferred colours after `filled` cells."""
        for (low, before), (high, after) in pairwise(self.quotas):
            if low < filled <= high:
                return int(before + (after - before) * (filled - low) / (high - low))
        return 0

    def order(self, width: int, height: int) -> list[Position]:
        """Return all cells of a board in the order of filling, from the bottom left."""
        by_rows = [(x, y) for y in range(height) for x in range(width)]
        return by_rows[: self.in_rows] + sorted(by_rows[self.in_rows :])


# The schedule of J. Blackwood, 2020, as published. It is also published that beyond depth 180 the
# remaining cells on the frame are filled among inner cells, but not in which order. The order by
# columns is a choice of this project.
PRESETS = {
    "blackwood": Preset(
        cells=256,
        depths=(201, 206, 211, 216, 221, 225, 229, 233, 237, 239),
        quotas=((16, 0), (26, 28), (56, 71), (76, 89), (102, 106), (160, 119)),
        in_rows=180,
        restart_nodes=50_000_000_000,
        apart=True,
    ),
}


def rarest_colours(board: BoardArrays, count: int) -> list[int]:
    """Return the `count` rarest colours of inner tiles, or all if there are fewer."""
    inner = board.sides[board.frame == 0]
    times = np.bincount(inner.reshape(-1), minlength=board.colours)
    return [int(colour) for colour in np.argsort(times, kind="stable") if times[colour]][:count]


def colours_for_quota(board: BoardArrays, sides: int) -> list[int]:
    """Return a colour of edges along the frame and two others, with `sides` sides or more in all.

    The result is empty if there are no such colours. The first colour is rare on hinted tiles,
    because a colour that is used up leaves no partners for hinted tiles. If possible, the three
    colours have at most `SPARE` times `sides` sides in all. These sides are on few tiles, so that a
    search that prefers these tiles meets a growing quota.
    """
    shown = np.stack([(board.sides == colour).sum(axis=1) for colour in range(board.colours)])
    # By tile; the mean over rotations, because `sides` has mates in place of some colours.
    shown = shown.reshape(board.colours, board.cells, 4).mean(axis=2)
    times = shown.sum(axis=1)
    hinted = shown[:, board.fixed[board.fixed >= 0] // 4].sum(axis=1)
    of_frame, inner = _by_place(board)
    best, found = (np.inf, True, 0.0), []
    for first in of_frame:
        for others in combinations([colour for colour in inner if colour != first], 2):
            chosen = [first, *others]
            have = times[chosen].sum()
            tiles = np.count_nonzero(shown[chosen].any(axis=0))
            if have >= sides:
                rank = (hinted[first], bool(have > SPARE * sides), -have / tiles)
                if rank < best:
                    best, found = rank, chosen
    return found


def sides_of_colours(board: BoardArrays, colours: Sequence[int]) -> NDArray[np.uint32]:
    """Return the number of sides with a colour of `colours`, by orientation, shape (4 n,)."""
    sides: NDArray[np.uint32] = np.isin(board.sides, colours).sum(axis=1).astype(np.uint32)
    return sides


def _by_place(board: BoardArrays) -> tuple[list[int], list[int]]:
    """Return the colours on edges along the frame and on inner edges.

    Colours that occur in both places are left out, unless no other colours remain.
    """
    on_frame = board.frame[:, None] >> np.arange(4) & 1 == 1
    along = ~on_frame & (np.roll(on_frame, 1, axis=1) | np.roll(on_frame, -1, axis=1))
    of_frame = set(board.sides[along].tolist())
    inner = set(board.sides[~on_frame & ~along].tolist())
    return sorted(of_frame - inner or of_frame), sorted(inner - of_frame or inner)


@dataclass(frozen=True)
class BreaksConfig(Config):
    """Settings of `breaks`."""

    order: tuple[str, ...] = setting(
        (BEST,),
        "Order in which to fill the cells, as for the backend rows; best is the order with the "
        "fewest mismatches by the model, or the order published with the schedule.",
    )
    schedule: tuple[str, ...] = setting(
        (MODEL,),
        "Numbers of tiles on the board at which another mismatch unlocks, ascending; or model, "
        "which derives the numbers from the board; or blackwood, published for the 16 x 16 board "
        "with an order, quotas of sides of three colours, a limit on nodes, and the rule that no "
        "tile has two mismatches. The numbers of Verhaard's schedule are not known.",
    )
    boards: float = setting(
        BOARDS,
        "For the schedule model: number of partial boards to see at each depth before a restart.",
        above=0,
    )
    restart_nodes: int = setting(
        0,
        "Number of nodes after which to start again with other lists; 0 is the number published "
        f"with the schedule, else {NODES:,}, or {HOLES_NODES:,} for tiles. Choose fewer nodes if "
        "tiles of the frame are hinted, since an opening may lead nowhere.",
        least=0,
        most=MAX_NODES,
    )
    colours_first: int = setting(
        COLOURS_FIRST,
        "Number of colours to use up first, the rarest ones away from the frame; a published "
        "schedule instead uses up a colour of the frame and two others.",
        least=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)
        if not self.schedule:
            raise ConfigError(f"schedule is empty; expected {MODEL}, a preset or numbers of tiles")
        if len(self.schedule) > 1 or self.schedule[0] not in (MODEL, *PRESETS):
            _depths(self.schedule)

    @property
    def preset(self) -> Preset | None:
        """Published schedule that the config names; None for other schedules."""
        return PRESETS.get(self.schedule[0])

    @property
    def max_nodes(self) -> int:
        """Number of nodes before a restart."""
        return self.restart_nodes or (NODES if self.preset is None else self.preset.restart_nodes)


class Breaks(Improver[BreaksConfig]):
    """Method of L. Verhaard and J. Blackwood, by default with a schedule for the given board."""

    name = "breaks"
    summary = "depth-first in a fixed order, with mismatches that unlock by depth (numba)"
    config_type = BreaksConfig
    objectives = tuple(Objective)

    def refuses(self, board: BoardArrays, config: BreaksConfig) -> str | None:
        if board.objective is Objective.TILES:
            if config.schedule != (MODEL,):
                return f"it supports only schedule={MODEL} for the objective tiles"
            if config.colours_first != COLOURS_FIRST:
                return "colours_first has no effect for the objective tiles; leave it out"
            return None
        return self._refuses_for_edges(board, config)

    def _refuses_for_edges(self, board: BoardArrays, config: BreaksConfig) -> str | None:
        entries = entry_count(board, fill_order(board, (DEFAULT,)))
        if entries > MAX_ENTRIES:
            return f"its lists would have {entries:,} entries; the limit is {MAX_ENTRIES:,}"
        if config.schedule == (MODEL,) and filling_of(board.puzzle, (), hints_first=True) is None:
            return "the model does not describe this board; set -c schedule=NUMBERS"
        preset = config.preset
        if preset is not None and board.cells != preset.cells:
            return f"schedule {config.schedule[0]} is for boards of {preset.cells} cells"
        if preset is not None and not colours_for_quota(board, preset.max_quota):
            return (
                f"schedule {config.schedule[0]} needs three colours with {preset.max_quota} sides "
                "or more in all, one of them along the frame; this board has no such colours"
            )
        return None

    def begin(
        self, board: BoardArrays, config: BreaksConfig, seed: int, start: Placed | None
    ) -> BreaksSearch | HolesSearch:
        if board.objective is Objective.TILES:
            nodes = config.restart_nodes or HOLES_NODES
            return HolesSearch(board, config.order, nodes, config.boards, seed)
        order = order_of(board, config)
        preferred = sides_of_colours(board, colours_first(board, config))
        schedule = schedule_of(board, order, preferred, config)
        return BreaksSearch(board, order, schedule, preferred, seed)


def order_of(board: BoardArrays, config: BreaksConfig) -> list[int]:
    """Return the cells without hints in the order of a config.

    A published order begins at the corner that is nearest to the hints.
    """
    preset, puzzle = config.preset, board.puzzle
    if preset is None or config.order != (BEST,):
        return fill_order(board, config.order, config.max_nodes, config.boards)
    cells = preset.order(puzzle.width, puzzle.height)
    return fill_order(board, tuple(f"{x}.{y}" for x, y in cells), turn=_corner(puzzle))


def _corner(puzzle: EdgePuzzle) -> int:
    """Return the corner with the least sum of distances to the hints, the first on ties.

    The result is 1 for a corner on the right, plus 2 for a corner at the top. Without hints, the
    result is 0, the bottom left.
    """
    width, height = puzzle.width - 1, puzzle.height - 1
    return min(
        range(4),
        key=lambda corner: sum(
            abs(hint.x - (corner & 1) * width) + abs(hint.y - (corner >> 1) * height)
            for hint in puzzle.hints
        ),
    )


def colours_first(board: BoardArrays, config: BreaksConfig) -> list[int]:
    """Return the colours that are used up first with a config."""
    if config.preset is not None:
        return colours_for_quota(board, config.preset.max_quota)
    return rarest_colours(board, config.colours_first)


def schedule_of(
    board: BoardArrays, order: list[int], preferred: NDArray[np.uint32], config: BreaksConfig
) -> MismatchSchedule:
    """Return the schedule of a config for an order.

    `preferred`, shape (4 n,), has the number of sides with colours to use up first, by orientation.
    For quotas, the sides of hinted tiles count from the beginning, and the hinted tiles count as if
    they were spread evenly over the order.
    """
    steps, hinted, preset = len(order), board.cells - len(order), config.preset
    if config.schedule == (MODEL,):
        positions = [board.puzzle.geometry.position(cell) for cell in order]
        filling = filling_of(board.puzzle, positions, hints_first=True)
        assert filling is not None, "a board that the model does not describe is refused"
        allowed = allowed_by_model(filling, config.max_nodes, config.boards)
    else:
        depths = _depths(config.schedule) if preset is None else preset.depths
        allowed = allowed_from([depth - hinted for depth in depths], steps)
    if preset is None:
        return MismatchSchedule(allowed, [0] * steps, config.max_nodes)
    given = int(preferred[board.fixed[board.fixed >= 0]].sum())
    quota = [
        max(0, preset.quota(step + 1 + hinted * (step + 1) // steps) - given)
        for step in range(steps)
    ]
    return MismatchSchedule(allowed, quota, config.max_nodes, preset.apart)


def _depths(words: tuple[str, ...]) -> list[int]:
    if all(word.isascii() and word.isdecimal() and len(word) < MAX_DIGITS for word in words):
        depths = [int(word) for word in words]
        if depths == sorted(depths):
            return depths
    raise ConfigError(
        f"schedule {','.join(words)!r:.60}; valid: {MODEL}, {', '.join(PRESETS)}, or numbers of "
        "tiles, ascending, as in 201,206,211"
    )
