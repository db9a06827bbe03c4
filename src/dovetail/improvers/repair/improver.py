"""The improver `repair`: windows of a board are emptied and filled again, over and over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from math import exp
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config, setting
from dovetail.errors import ConfigError
from dovetail.extras import install_command
from dovetail.improvers.base import Improver, ImprovingSearch, Placed
from dovetail.improvers.repair.kernels import refills, windows
from dovetail.improvers.repair.kernels.windows import RepairBoard, RepairRules, Walk, Window
from dovetail.improvers.shared.beam import (
    WORK_PER_STATE,
    BeamFill,
    max_sides,
    pairing_potential,
    refusal,
)
from dovetail.improvers.shared.board import EMPTY, BoardArrays, fill_order, score
from dovetail.models.boards.geometry import EAST, NORTH, SIDES, opposite
from dovetail.models.boards.orders import BEST
from dovetail.models.boards.partial_board import Objective
from dovetail.random_stream import RandomStream

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

DESTROY = {
    "rectangle": windows.RECTANGLE,
    "component": windows.COMPONENT,
    "random": windows.RANDOM,
    "mismatched": windows.MISMATCHED,
}
MIN_TEMPERATURE = 0.01  # in matched edges
MAX_WORSE = 8  # a board with a score that is lower by this number or more is never accepted
MAX_WORK = 1.0  # limit for a window, in CP-SAT's deterministic seconds
MAX_SECONDS = 5.0  # limit for a window, in seconds by the clock
RefillName = Literal["beam", "greedy", "assignment", "exact", "domains", "cpsat"]
FOR_TILES: tuple[RefillName, ...] = ("beam", "domains", "cpsat")
BEAM_SHARES = 0.24, 0.4  # least and largest window for beams, as shares of the cells without hints
# Least and largest number of cells of a window for the other refills.
SIZES: dict[RefillName, tuple[int, int]] = {
    "greedy": (4, 12),
    "assignment": (12, 40),
    "exact": (6, 10),
    "domains": (9, 25),
    "cpsat": (9, 16),
}
BY_KERNEL: dict[RefillName, int] = {
    "greedy": windows.GREEDY,
    "assignment": windows.ASSIGNMENT,
    "exact": windows.EXACT,
}
MIN_SHARE = 3, 5  # cells of the smallest window, as a share of the setting `cells`: 3 / 5
MAX_CELLS = 64  # limit on the cells of a window for a refill other than beams
MAX_PLACEMENTS = 20_000  # limit on the placements of the exact search for a window
FIRST_WORK = 500  # half the placements of the first slice of a refill by kernels


class BoardWalk:
    """A walk over boards; each board differs from the board before in a window.

    Boards are accepted by simulated annealing. The temperature, in matched edges, falls with the
    time left; without a time limit it is constant.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: Placed,
        destroy: tuple[str, ...],
        settings: dict[int, int],
        temperature: float,
        seed: int,
    ) -> None:
        self.board, self._temperature = board, temperature
        self._all_s: float | None = None
        self._rules = rules_of([DESTROY[name] for name in destroy], settings)
        self._walk = walk_of(board, placed, seed)
        self.arrays = board_of(board), self._rules, self._walk  # first arguments of the kernels
        self.cool(None)

    @property
    def placed(self) -> Placed:
        """Board that is repaired next."""
        return self._walk.placed

    @property
    def best(self) -> Placed:
        """Best board so far."""
        return self._walk.best.copy()

    def progress(self, entry: int) -> int:
        """Return an entry of `progress`, see `windows`."""
        return int(self._walk.progress[entry])

    def cool(self, left_s: float | None) -> None:
        """Set the temperature in proportion to the time left; without a limit it is constant."""
        heat = 1.0
        if left_s is not None:
            self._all_s = self._all_s or max(left_s, 1e-3)
            heat = max(0.0, min(1.0, left_s / self._all_s))
        temperature = max(MIN_TEMPERATURE, self._temperature * heat)
        self._rules.acceptance[:] = [exp(-worse / temperature) for worse in range(MAX_WORSE)]

    def window(self) -> list[int]:
        """Return the cells of the next window, in the order of filling."""
        count = windows.choose(*self.arrays)
        return [int(cell) for cell in self._walk.cells[:count]]

    def count(self, *, placements: int = 0, proved: bool = False) -> None:
        """Count placements, and a refill that is proved to be the best."""
        self._walk.progress[windows.PLACEMENTS] += placements
        self._walk.progress[windows.PROVED] += proved

    def restart(self, placed: Placed) -> None:
        """Continue from the board `placed`, even if it is worse."""
        walk, found = self._walk, score(self.board, placed)
        walk.placed[:], walk.progress[windows.SCORE] = placed, found
        if found > walk.progress[windows.BEST]:
            walk.best[:], walk.progress[windows.BEST] = placed, found

    def settle(self, placed: Placed) -> None:
        """Continue from the board `placed` if it is accepted."""
        self._walk.trial[:] = placed
        refills.settle(self._rules, self._walk, score(self.board, placed))


def board_of(board: BoardArrays) -> RepairBoard:
    """Return the arrays of a board for the kernels."""
    size = np.array([board.puzzle.width, board.puzzle.height], dtype=np.int64)
    arrays = board.sides, board.frame, board.cell_frame, board.neighbours, board.fixed
    return RepairBoard(*arrays, size)


def rules_of(operators: list[int], settings: dict[int, int]) -> RepairRules:
    """Return rules with these operators and settings; `acceptance` is 0 for all worse boards."""
    numbers = np.zeros(windows.SETTINGS_SIZE, dtype=np.int64)
    for entry, number in settings.items():
        numbers[entry] = number
    return RepairRules(np.array(operators, dtype=np.int64), numbers, np.zeros(MAX_WORSE))


def walk_of(board: BoardArrays, placed: Placed, seed: int) -> Walk:
    """Return a walk that begins at the board `placed`."""
    cells = board.cells
    trial, chosen, order, mismatches = (np.zeros(cells, dtype=np.int32) for _ in range(4))
    progress = np.zeros(windows.PROGRESS_SIZE, dtype=np.int64)
    progress[windows.SCORE] = progress[windows.BEST] = score(board, placed)
    return Walk(
        placed=placed.copy(),
        best=placed.copy(),
        trial=trial,
        cells=chosen,
        order=order,
        mismatches=mismatches,
        mark=np.zeros(cells, dtype=np.uint8),
        random=np.array([seed], dtype=np.uint64),
        progress=progress,
    )


class Refill(ABC):
    """Method that empties and refills windows of the board of a walk, one after the other."""

    def __init__(self, walk: BoardWalk) -> None:
        self._walk = walk

    @abstractmethod
    def advance(self, budget: Budget) -> None:
        """Make about `budget.work` placements, or refill one window.

        `budget.seconds` is the time left, None for no limit.
        """

    def forget(self) -> None:
        """Drop a window that is being filled, because the walk has another board."""
        return


class KernelRefill(Refill):
    """Refill by kernels; `refill` is GREEDY, ASSIGNMENT or EXACT of `windows`."""

    def __init__(self, walk: BoardWalk, refill: int, max_cells: int) -> None:
        super().__init__(walk)
        self._refill, self._window = refill, window_of(walk.board.cells, max_cells)
        self._work = FIRST_WORK

    def advance(self, budget: Budget) -> None:
        # The first budgets may be too large, since the opening took little time for its work.
        self._work = min(budget.work, 2 * self._work)
        refills.rounds(*self._walk.arrays, self._window, self._refill, self._work)


def window_of(cells: int, max_cells: int) -> Window:
    """Return space to refill windows of at most `max_cells` cells on a board of `cells` cells."""
    more = max_cells + 1
    slack, held, before, at, missed, rest = np.zeros((6, more), dtype=np.int64)
    return Window(
        tiles=np.zeros(max_cells, dtype=np.int32),
        entries=np.zeros(4 * max_cells, dtype=np.int32),
        facing=np.zeros(4, dtype=np.int32),
        worth=np.zeros((max_cells, max_cells), dtype=np.int64),
        turned=np.zeros((max_cells, max_cells), dtype=np.int32),
        potential=np.zeros((2, more), dtype=np.int64),
        slack=slack,
        held=held,
        before=before,
        at=at,
        missed=missed,
        rest=rest,
        chosen=np.zeros(max_cells, dtype=np.int32),
        used=np.zeros(max(cells, more), dtype=np.uint8),
    )


class BeamRefill(Refill):
    """Refill by a beam, which fills the cells in the order of the window."""

    def __init__(
        self, walk: BoardWalk, potential: NDArray[np.float64], width: int, seed: int
    ) -> None:
        super().__init__(walk)
        self._potential, self._width, self._random = potential, width, RandomStream(seed)
        self._fill: BeamFill | None = None

    def advance(self, budget: Budget) -> None:
        fill = self._fill = self._fill or self._next_fill()
        if not fill.done:
            before = fill.nodes
            fill.advance(max(1, budget.work // WORK_PER_STATE))
            self._walk.count(placements=fill.nodes - before)
        if fill.done:
            self._walk.settle(fill.placed)
            self._fill = None

    def forget(self) -> None:
        self._fill = None

    def _next_fill(self) -> BeamFill:
        walk, order = self._walk, self._walk.window()
        placed = walk.placed.copy()
        placed[np.array(order, dtype=np.int64)] = EMPTY
        seed = self._random.word()
        return BeamFill(walk.board, placed, order, self._potential, self._width, seed)


class DomainsRefill(Refill):
    """Refill by the search of `domains`, which fills a window without a mismatch or not at all.

    If the window has empty cells, one of these cells has to be filled and the others stay empty.
    With probability 1 / 2, a random cell of the window is then left empty too. The search chooses
    from at most `fits.MAX_TILES` tiles, which lay in the window or were not on the board.
    """

    def __init__(self, walk: BoardWalk, seed: int) -> None:
        super().__init__(walk)
        self._random = RandomStream(seed)

    def advance(self, budget: Budget) -> None:
        from dovetail.improvers.repair.fits import MAX_TILES, fitting_tiles

        walk, cells = self._walk, self._walk.window()
        placed = walk.placed.copy()
        holes = [cell for cell in cells if placed[cell] == EMPTY]
        if holes:
            holes.pop(self._random.below(len(holes)))
            if self._random.below(2):
                holes.append(cells[self._random.below(len(cells))])
        placed[cells] = EMPTY
        to_fill = [cell for cell in cells if cell not in holes]
        tiles, found, nodes = walk.board.free_tiles(placed), None, 0
        if to_fill and len(tiles):
            first = self._random.below(len(tiles))
            tiles = [*tiles[first:], *tiles[:first]][:MAX_TILES]
            found, nodes = fitting_tiles(walk.board, placed, to_fill, tiles)
        walk.count(placements=max(1, nodes))
        walk.settle(walk.placed if found is None else found)


class CpSatRefill(Refill):
    """Refill by CP-SAT, which maximises the score of a window within a limit of work."""

    def __init__(self, walk: BoardWalk, seed: int) -> None:
        super().__init__(walk)
        self._random = RandomStream(seed)

    def advance(self, budget: Budget) -> None:
        walk, cells = self._walk, self._walk.window()
        seconds = MAX_SECONDS if budget.seconds is None else min(MAX_SECONDS, budget.seconds)
        window = CpSatWindow(walk.board, walk.placed, cells)
        found, proved = window.solve(max(0.0, seconds), MAX_WORK, self._random.below(2**31))
        walk.count(placements=max(1, len(cells)), proved=proved)
        walk.settle(walk.placed if found is None else found)


class CpSatWindow:
    """Optimisation model of a window for CP-SAT, by the objective of the board.

    There is a boolean variable for each cell of the window and each orientation that may lie there.

    For the objective `edges`, an edge inside the window has a boolean for each colour, which is
    true only if both sides show that colour. An edge to a tile around the window counts through the
    variables of the orientations that match. For the objective `tiles`, cells may stay empty, and
    any tile that is not on the board may be used. A colour on one side of an edge then excludes all
    other colours on the other side, also if the other side is of a tile around the window.
    """

    def __init__(self, board: BoardArrays, placed: Placed, cells: Sequence[int]) -> None:
        from ortools.sat.python import cp_model

        self._board, self._lies, self._cells = board, placed, set(cells)
        self._model = cp_model.CpModel()
        self._worth: list[cp_model.LinearExprT] = []
        self._counts_tiles = board.objective is Objective.TILES
        once = self._model.add_exactly_one
        if self._counts_tiles:
            once = self._model.add_at_most_one
        others = placed.copy()
        others[list(cells)] = EMPTY
        tiles = board.free_tiles(others)
        self._laid = {cell: self._orientations(cell, tiles) for cell in cells}
        for laid in self._laid.values():
            once(laid.values())
        for tile in tiles:
            once(
                variable
                for laid in self._laid.values()
                for orientation, variable in laid.items()
                if orientation // 4 == tile
            )
        for cell in cells:
            self._add_edges(cell)
        if self._counts_tiles:
            self._worth = [variable for laid in self._laid.values() for variable in laid.values()]
        self._model.maximize(cp_model.LinearExpr.sum(self._worth))

    def solve(self, seconds: float, work: float, seed: int) -> tuple[Placed | None, bool]:
        """Return the best board found, or None, and whether it is proved to be the best.

        `work` is in CP-SAT's deterministic seconds, `seed` is from 0 to 2^31 − 1.
        """
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = seed
        parameters.max_time_in_seconds = seconds
        parameters.max_deterministic_time = work
        parameters.linearization_level = 2  # 30 times faster than 0 or 1
        parameters.catch_sigint_signal = False  # an interruption ends the run after this window
        status = solver.solve(self._model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, False
        found = self._lies.copy()
        for cell, laid in self._laid.items():
            chosen = (turn for turn, variable in laid.items() if solver.value(variable))
            found[cell] = next(chosen, EMPTY)
        return found, status == cp_model.OPTIMAL

    def _orientations(self, cell: int, tiles: Sequence[int]) -> dict[int, cp_model.IntVar]:
        """Return a variable for each orientation that a cell may take.

        CP-SAT gets the present orientation of the cell as a hint.
        """
        board, variables = self._board, {}
        for orientation in (4 * tile + rotation for tile in tiles for rotation in SIDES):
            if board.frame[orientation] == board.cell_frame[cell] and board.distinct[orientation]:
                variables[orientation] = self._model.new_bool_var(f"{orientation} in {cell}")
                self._model.add_hint(variables[orientation], bool(self._lies[cell] == orientation))
        return variables

    def _add_edges(self, cell: int) -> None:
        board = self._board
        for side in SIDES:
            other = int(board.neighbours[cell, side])
            if other in self._cells:
                if side in (NORTH, EAST):
                    self._add_edge_inside(cell, side, other)
            elif other >= 0 and self._lies[other] != EMPTY:
                facing = board.sides[self._lies[other], opposite(side)]
                laid = self._laid[cell].items()
                self._worth += [
                    variable for turn, variable in laid if board.sides[turn, side] == facing
                ]
                if self._counts_tiles:
                    for turn, variable in laid:
                        if board.sides[turn, side] != facing:
                            self._model.add(variable == 0)

    def _add_edge_inside(self, cell: int, side: int, other: int) -> None:
        shown, facing = self._by_colour(cell, side), self._by_colour(other, opposite(side))
        if self._counts_tiles:
            for colour, variables in shown.items():
                rest = [facing[unlike] for unlike in facing if unlike != colour]
                self._model.add_at_most_one([*variables, *chain.from_iterable(rest)])
            return
        for colour in np.intersect1d(list(shown), list(facing)).tolist():
            matches = self._model.new_bool_var(f"{colour} at {side} of {cell}")
            for variables in (shown[colour], facing[colour]):
                self._model.add_bool_or([*variables, ~matches])
            self._worth.append(matches)

    def _by_colour(self, cell: int, side: int) -> dict[int, list[cp_model.IntVar]]:
        variables: dict[int, list[cp_model.IntVar]] = {}
        for orientation, variable in self._laid[cell].items():
            variables.setdefault(int(self._board.sides[orientation, side]), []).append(variable)
        return variables


class RepairSearch(ImprovingSearch):
    """Large neighbourhood search that accepts boards by simulated annealing.

    The search begins with a beam that fills the empty cells of the first board.
    """

    def __init__(
        self, board: BoardArrays, config: RepairConfig, seed: int, start: Placed | None
    ) -> None:
        super().__init__(board)
        self._board, self._config, self._random = board, config, RandomStream(seed)
        self._potential = pairing_potential(max_sides(board))
        placed = (board.fixed if start is None else start).copy()
        order = [cell for cell in fill_order(board, (BEST,)) if placed[cell] == EMPTY]
        seed = self._random.word()
        self._opening = BeamFill(board, placed, order, self._potential, config.width, seed)
        self._repairing: tuple[BoardWalk, Refill] | None = None

    @property
    def nodes(self) -> int:
        return self._opening.nodes + self._progress(windows.PLACEMENTS)

    @property
    def counters(self) -> dict[str, int]:
        return {
            "repairs": self._progress(windows.REPAIRS),
            "accepted": self._progress(windows.ACCEPTED),
            "proved": self._progress(windows.PROVED),
        }

    def advance(self, budget: Budget) -> bool:
        if self._repairing is None:
            if not self._opening.done:
                self._opening.advance(max(1, budget.work // WORK_PER_STATE))
            if not self._opening.done:
                return True
            self._repairing = self._begin(self._opening.placed)
        else:
            walk, refill = self._repairing
            walk.cool(budget.seconds)
            refill.advance(budget)
        walk, _ = self._repairing
        if walk.progress(windows.BEST) > self.score:
            self.keep(walk.best, walk.progress(windows.BEST))
        return True

    def accept(self, placed: Placed) -> None:
        """Continue with repairs of the board `placed`; an unfinished opening is dropped."""
        if self._repairing is None:
            self._repairing = self._begin(placed)
        walk, refill = self._repairing
        walk.restart(placed)
        refill.forget()

    def _begin(self, placed: Placed) -> tuple[BoardWalk, Refill]:
        """Return a walk that begins at a board, and the refill for its windows."""
        config = self._config
        low, high = window_sizes(config, int(np.count_nonzero(self._board.fixed == EMPTY)))
        settings = {
            windows.LOW: low,
            windows.HIGH: high,
            windows.APART: config.refill == "assignment",
            windows.NOISE: round(config.noise * windows.PER_EDGE),
            windows.MAX_PLACEMENTS: MAX_PLACEMENTS,
        }
        seed = self._random.word()
        walk = BoardWalk(self._board, placed, config.destroy, settings, config.temperature, seed)
        seed = self._random.word()
        if config.refill == "beam":
            return walk, BeamRefill(walk, self._potential, config.width, seed)
        if config.refill == "domains":
            return walk, DomainsRefill(walk, seed)
        if config.refill == "cpsat":
            return walk, CpSatRefill(walk, seed)
        return walk, KernelRefill(walk, BY_KERNEL[config.refill], high)

    def _progress(self, entry: int) -> int:
        return 0 if self._repairing is None else self._repairing[0].progress(entry)


@dataclass(frozen=True)
class RepairConfig(Config):
    """Settings of `repair`."""

    destroy: tuple[str, ...] = setting(
        ("rectangle",),
        "Kinds of windows to empty; if several, one of them is chosen at random each time.",
        choices=DESTROY,
    )
    refill: RefillName = setting(
        "beam",
        "How to fill a window again: beam; greedy; assignment, the best tiles for cells that do "
        "not touch; exact, depth-first with a bound on mismatches; domains, by the search of "
        "domains, without a mismatch or not at all; cpsat, by OR-Tools.",
    )
    cells: int = setting(0, "Most cells of a window; 0 is a number that suits the refill.", least=0)
    width: int = setting(2048, "Number of states that a beam keeps after each cell.", least=1)
    noise: float = setting(
        0.8,
        "Largest random addition to the worth of a tile, in matched edges, when a window is filled "
        "greedily or by assignment.",
        least=0,
        most=1000,
    )
    temperature: float = setting(
        0.3,
        "Temperature of annealing at the beginning, in matched edges.",
        least=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.destroy:
            raise ConfigError(f"destroy is empty; expected one or more of {', '.join(DESTROY)}")
        if self.cells > MAX_CELLS and self.refill != "beam":
            raise ConfigError(f"cells is {self.cells}; {self.refill} supports at most {MAX_CELLS}")


class Repair(Improver[RepairConfig]):
    """Large neighbourhood search from a given board, or from a board that a beam fills."""

    name = "repair"
    summary = "takes parts off a board and fills them again, by beams or otherwise (numba)"
    config_type = RepairConfig
    objectives = tuple(Objective)

    def refuses(self, board: BoardArrays, config: RepairConfig) -> str | None:
        if config.refill == "cpsat" and find_spec("ortools") is None:
            return f"refill=cpsat needs ortools: {install_command('cpsat')}"
        if board.objective is Objective.TILES and config.refill not in FOR_TILES:
            return f"refill={config.refill} is for edges only; for tiles: {', '.join(FOR_TILES)}"
        return refusal(board, config.width)

    def begin(
        self, board: BoardArrays, config: RepairConfig, seed: int, start: Placed | None
    ) -> RepairSearch:
        return RepairSearch(board, config, seed, start)


def window_sizes(config: RepairConfig, free: int) -> tuple[int, int]:
    """Return the least and largest number of cells of a window; `free` cells have no hint."""
    if config.cells:
        low, high = config.cells * MIN_SHARE[0] // MIN_SHARE[1], config.cells
    elif config.refill == "beam":
        low, high = (int(share * free) for share in BEAM_SHARES)
    else:
        low, high = SIZES[config.refill]
    return max(1, min(low, free)), max(1, min(high, free))
