"""Assemblies of a puzzle taken apart, on several threads, with results and totals."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from queue import SimpleQueue

from dovetail.backends.base import Config, setting
from dovetail.disassembly import Method
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Outcome, Separation
from dovetail.disassembly.replay import check_plan, plan_error
from dovetail.disassembly.search import DisassemblyLimits, TakingApart
from dovetail.errors import ConfigError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.printable import Reported
from dovetail.puzzles.formats.base import UnboundedWriter


@dataclass(frozen=True)
class DisassemblyConfig(Config):
    """Settings of `dovetail disassemble`."""

    method: str = setting(
        Method.BREADTH_FIRST.value,
        "How assemblies are taken apart. unit-steps counts each step as a move; with a-star the "
        "numbers after the first may differ.",
        choices=Method,
    )


BATCH = 64  # assemblies that a thread takes at a time


@dataclass(frozen=True, repr=False)
class TakenApart(Reported):
    """An assembly, its number from 1, and its result; its plan has been played.

    >>> found = disassemble("soma-cube", next(solve("soma-cube")))
    >>> str(found.outcome), found.level
    ('apart', '1')
    """

    number: int
    assembly: Assembly
    disassembly: Disassembly

    @property
    def outcome(self) -> Outcome:
        """Whether the assembly comes apart: apart, locked or undecided."""
        return self.disassembly.outcome

    @property
    def level(self) -> str:
        """The level, such as `4.9.3`; empty for an assembly that does not come apart."""
        return self.disassembly.level

    @property
    def moves(self) -> int:
        """The number of moves of the whole plan."""
        return self.disassembly.moves

    @property
    def solution(self) -> PackingSolution:
        """The assembly as a solution, its pieces in the same order."""
        placed = zip(self.assembly.names, self.assembly.cells, strict=True)
        return PackingSolution(tuple(placed), self.assembly.lattice)

    @property
    def fields(self) -> dict[str, object]:
        """The result, with its plan, as plain data."""
        found = self.disassembly
        return {
            "number": self.number,
            "outcome": str(found.outcome),
            "level": found.level,
            "moves": found.moves,
            "states": found.states,
            **({"reason": found.reason} if found.reason else {}),
            "pieces": list(self.assembly.names),
            "plan": None if found.plan is None else separation_fields(found.plan),
        }


@dataclass
class AssemblyTally:
    """How many assemblies of a puzzle come apart."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    first_numbers: Counter[int] = field(default_factory=Counter)
    """How many solutions have each first number of their level."""
    states: int = 0
    reason: str = ""
    """Why the first undecided assembly was left."""

    def add(self, found: Disassembly) -> None:
        """Count an assembly."""
        self.outcomes[found.outcome] += 1
        self.states += found.states
        self.reason = self.reason or found.reason
        if found.numbers:
            self.first_numbers[found.numbers[0]] += 1

    def fields(self) -> dict[str, object]:
        """Return the tally as plain data."""
        return {
            "assemblies": self.outcomes.total(),
            "solutions": self.outcomes[Outcome.APART],
            "locked": self.outcomes[Outcome.LOCKED],
            "undecided": self.outcomes[Outcome.UNDECIDED],
            "first_numbers": {str(first): n for first, n in sorted(self.first_numbers.items())},
            "states": self.states,
        }


def packing_of(puzzle: Puzzle) -> PackingPuzzle:
    """Return a puzzle whose assemblies can be taken apart; raise `ConfigError` for another."""
    if not isinstance(puzzle, PackingPuzzle):
        raise ConfigError(f"{puzzle.name} has no pieces to take apart; expected a packing puzzle")
    return puzzle


def take_apart(
    puzzle: PackingPuzzle,
    solutions: Iterable[Solution],
    limits: DisassemblyLimits | None = None,
    jobs: int = 1,
) -> Iterator[TakenApart]:
    """Yield the result of each solution of a puzzle, in their order, by `jobs` threads.

    Every plan has been played and found right. Raises `PuzzleError` for a solution of another
    puzzle, and for a lattice whose pieces do not slide.
    """
    assemblies = (_assembly(puzzle, solution) for solution in solutions)
    for number, (assembly, found) in enumerate(_in_threads(puzzle, assemblies, limits, jobs), 1):
        if found.plan is not None:
            check_plan(assembly, found.plan)
        yield TakenApart(number, assembly, found)


def stored_separations(puzzle: PackingPuzzle, file: TextFile) -> Iterator[TakenApart]:
    """Yield the solutions in a BurrTools file with their separations, which have been played.

    A solution without one is undecided. Raises `FormatError` for a wrong solution or separation.
    """
    from dovetail.puzzles.formats.burrtools.solutions import read_separations_of

    number = 0
    for number, (line, solution, plan) in enumerate(read_separations_of(puzzle, file), 1):
        error = solution_error(puzzle, solution)
        if error is not None:
            raise file.error(f"solution {number}: {error}", line)
        assembly = Assembly.of(puzzle, solution)
        error = None if plan is None else plan_error(assembly, plan)
        if error is not None:
            raise file.error(f"the separation of solution {number}: {error}", line)
        reason = "" if plan else "no separation is stored"
        outcome = Outcome.APART if plan else Outcome.UNDECIDED
        yield TakenApart(number, assembly, Disassembly(outcome, plan, 0, reason))
    if not number:
        raise PuzzleError(f"{file.place}: no solutions found; expected at least one")


def separations_writer(
    puzzle: PackingPuzzle, source: TextFile | None, listed: Sequence[TakenApart]
) -> UnboundedWriter:
    """Return a writer of a BurrTools file of the assemblies that will be `listed`.

    They are written back into `source`, the file that the puzzle came from. Raises `PuzzleError`
    for a puzzle that BurrTools cannot express.
    """
    from dovetail.puzzles.formats.burrtools.solutions import write_back
    from dovetail.puzzles.formats.burrtools.writer import AssemblyWriter, file_writer

    writer = file_writer(puzzle) if source is None else write_back(source, puzzle)
    assembly_writer = writer.one
    assert isinstance(assembly_writer, AssemblyWriter)

    def element(number: int, solution: Solution) -> str:
        return assembly_writer(number, solution, listed[number - 1].disassembly.plan)

    return UnboundedWriter(writer.head, element, writer.tail)


def _assembly(puzzle: PackingPuzzle, solution: Solution) -> Assembly:
    if not isinstance(solution, PackingSolution):
        raise PuzzleError(f"a solution of {puzzle.name} has no pieces to take apart")
    return Assembly.of(puzzle, solution)


Found = tuple[Assembly, Disassembly]


def _in_threads(
    puzzle: PackingPuzzle,
    assemblies: Iterator[Assembly],
    limits: DisassemblyLimits | None,
    jobs: int,
) -> Iterator[Found]:
    """Yield the assemblies with their results, in their order."""
    if jobs == 1:
        searches = TakingApart(puzzle.lattice)
        while batch := list(islice(assemblies, BATCH)):
            yield from zip(batch, searches.all(batch, limits), strict=True)
        return
    idle = SimpleQueue[TakingApart]()
    for _ in range(jobs):
        idle.put(TakingApart(puzzle.lattice))

    def search(batch: list[Assembly]) -> list[Found]:
        searches = idle.get()
        try:
            return list(zip(batch, searches.all(batch, limits), strict=True))
        finally:
            idle.put(searches)

    waiting = deque[Future[list[Found]]]()
    with ThreadPoolExecutor(jobs) as pool:
        while batch := list(islice(assemblies, BATCH)):
            waiting.append(pool.submit(search, batch))
            if len(waiting) > 2 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def separation_fields(separation: Separation) -> dict[str, object]:
    """Return a separation and its parts' as plain data; pieces are numbered from 0."""
    return {
        "pieces": list(separation.pieces),
        "moves": [_move_fields(move) for move in separation.moves],
        "stays": None if separation.stays is None else separation_fields(separation.stays),
        "leaves": None if separation.leaves is None else separation_fields(separation.leaves),
    }


def _move_fields(move: Move) -> Mapping[str, object]:
    return {"pieces": list(move.pieces), "direction": list(move.direction), "steps": move.steps}
