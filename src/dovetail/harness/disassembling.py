"""Assemblies of a puzzle taken apart, on several threads, with results and totals."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import add
from queue import SimpleQueue

from dovetail.backends.base import Config, setting
from dovetail.disassembly import Method
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Outcome, Separation
from dovetail.disassembly.replay import check_plan, plan_error
from dovetail.disassembly.search import DisassemblyLimits, TakingApart
from dovetail.errors import ConfigError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.run.clock import Interruption, Stopwatch
from dovetail.harness.run.events import AssembliesSoFar, Compiling, Event, Found, Started
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Disassembled, Result
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.printable import Reported, ShownList
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


BATCH, SHARE = 64, 16  # assemblies taken apart at a time: by the only thread, by one of several


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


class Assemblies(ShownList[TakenApart]):
    """The assemblies that a search found, taken apart, and the `result` of the search.

    >>> disassemble("soma-cube").result.status.is_limit
    False
    """

    result: Result
    """Result of the search for assemblies; its status says whether a limit ended the search."""

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.result}"


@dataclass
class AssemblyTally:
    """How many assemblies of a puzzle come apart."""

    puzzle: PackingPuzzle
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    first_numbers: Counter[int] = field(default_factory=Counter)
    best: Disassembly | None = None
    """The result with the highest level."""
    holes: int = 0
    states: int = 0
    reason: str | None = None

    def add(self, taken: TakenApart) -> None:
        """Count an assembly."""
        found = taken.disassembly
        self.outcomes[found.outcome] += 1
        self.states += found.states
        self.reason = self.reason or found.reason or None
        cells = sum(map(len, taken.assembly.cells))
        fixed = sum(len(piece.cells) for piece in self.puzzle.fixed)
        self.holes = max(self.holes, len(self.puzzle.open_cells) - cells + fixed)
        if found.numbers:
            self.first_numbers[found.numbers[0]] += 1
            self.best = max(self.best or found, found, key=lambda result: result.sort_key)

    @property
    def so_far(self) -> AssembliesSoFar:
        """The number of assemblies, and how many come apart."""
        return AssembliesSoFar(self.outcomes.total(), self.outcomes[Outcome.APART])

    def totals(self, seconds: float = 0.0) -> Disassembled:
        """Return the numbers so far, after `seconds`."""
        best = self.best
        plan = best.plan.all() if best and best.plan else ()
        return Disassembled(
            assemblies=self.outcomes.total(),
            solutions=self.outcomes[Outcome.APART],
            locked=self.outcomes[Outcome.LOCKED],
            undecided=self.outcomes[Outcome.UNDECIDED],
            reason=self.reason,
            holes=self.holes,
            first_numbers={str(first): n for first, n in sorted(self.first_numbers.items())},
            level=best.level if best else "",
            moves=best.moves if best else 0,
            removed=tuple(len(separation.moves[-1].pieces) for separation in plan),
            states=self.states,
            seconds=seconds,
        )


def packing_of(puzzle: Puzzle) -> PackingPuzzle:
    """Return a puzzle whose assemblies can be taken apart.

    Raises `ConfigError` for a puzzle without pieces, and `PuzzleError` for a lattice whose pieces
    do not slide.
    """
    if not isinstance(puzzle, PackingPuzzle):
        raise ConfigError(f"{puzzle.name} has no pieces to take apart; expected a packing puzzle")
    directions_of(puzzle.lattice)
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
    rest = iter(solutions)
    with Disassembler(puzzle, limits, jobs) as disassembler:
        while batch := list(islice(rest, disassembler.batch)):
            disassembler.add(batch)
            yield from disassembler.results(2 * jobs)
        yield from disassembler.results()


def take_run_apart(
    job: Job,
    events: Iterable[Event],
    interruption: Interruption | None = None,
    limits: DisassemblyLimits | None = None,
    jobs: int = 1,
) -> Iterator[Event | TakenApart]:
    """Yield the events of a run that lists solutions, and the result of each solution.

    The `Result` at the end has the totals. The time limit of the job also ends taking apart. With
    several `jobs`, threads take the solutions apart while the search goes on. An interrupted run
    has the status `interrupted`. Raises the errors of `packing_of` and `take_apart`.
    """
    puzzle = packing_of(job.puzzle)
    tally, watch = AssemblyTally(puzzle), Stopwatch()
    interruption = interruption or Interruption()
    limits = replace(limits or DisassemblyLimits(), stopped=lambda: interruption.requested)
    with Disassembler(puzzle, limits, jobs) as disassembler:
        yield Compiling(under_way=True)
        with interruption.defer():
            disassembler.warm_up()
        yield Compiling(under_way=False)
        for event in events:
            if isinstance(event, Started) and job.limits.time_s is not None:
                deadline = time.monotonic() + job.limits.time_s
                disassembler.limits = replace(limits, deadline=deadline)
            ends = isinstance(event, Result)
            if isinstance(event, Found):
                yield tally.so_far
                with watch, interruption.defer():
                    for batch in _batches(event, disassembler.batch):
                        disassembler.add(batch.solutions())
            results = disassembler.results(0 if ends else None)
            while True:
                with watch, interruption.defer():
                    taken = next(results, None)
                    if taken is None:
                        break
                    tally.add(taken)
                yield taken
                yield tally.so_far
            if isinstance(event, Result) and event.status.has_searched:
                stopped = interruption.requested and tally.outcomes[Outcome.UNDECIDED]
                status = Status.INTERRUPTED if stopped else event.status
                totals = tally.totals(watch.wall_s)
                yield replace(event, status=status, disassembled=totals)
            else:
                yield event


def _batches(found: Found, size: int) -> Iterator[Found]:
    for first in range(0, len(found.options), size):
        yield replace(found, options=found.options[first : first + size])


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


class Disassembler:
    """Takes solutions of a puzzle apart as they come: at once, or in several threads.

    A context manager; leaving it stops the threads.
    """

    def __init__(
        self, puzzle: PackingPuzzle, limits: DisassemblyLimits | None = None, jobs: int = 1
    ) -> None:
        self.limits, self.batch = limits or DisassemblyLimits(), BATCH if jobs == 1 else SHARE
        self._puzzle, self._number, self._closed = puzzle, 0, False
        self._idle = SimpleQueue[TakingApart]()
        for _ in range(jobs):
            self._idle.put(TakingApart(puzzle.lattice))
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        self._waiting = deque[Future[list[tuple[Assembly, Disassembly]]]]()

    def __enter__(self) -> Disassembler:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def warm_up(self) -> None:
        """Compile the kernels."""
        lattice, here = self._puzzle.lattice, self._puzzle.lattice.fundamental_cells[0]
        there = tuple(map(add, here, directions_of(lattice).vectors[0]))
        two = Assembly(lattice, ("", ""), ((here,), (there,)), (1, 1), ((), ()))
        searches = self._idle.get()
        (found,) = searches.all([two])
        self._idle.put(searches)
        assert found.plan is not None
        check_plan(two, found.plan)

    def add(self, solutions: Iterable[Solution]) -> None:
        """Take solutions apart; threads read them later."""
        if self._pool is not None:
            self._waiting.append(self._pool.submit(self._search, solutions))
            return
        future = Future[list[tuple[Assembly, Disassembly]]]()
        future.set_result(self._search(solutions))
        self._waiting.append(future)

    def results(self, unfinished: int | None = 0) -> Iterator[TakenApart]:
        """Yield results in the order of the solutions.

        Waits until at most this number of additions are `unfinished`; does not wait for None.
        """
        while self._waiting:
            must = unfinished is not None and len(self._waiting) > unfinished
            if not must and not self._waiting[0].done():
                return
            for assembly, found in self._waiting.popleft().result():
                self._number += 1
                yield TakenApart(self._number, assembly, found)

    def _search(self, solutions: Iterable[Solution]) -> list[tuple[Assembly, Disassembly]]:
        given = self.limits
        limits = replace(given, stopped=lambda: self._closed or given.stopped())
        assemblies = [_assembly(self._puzzle, solution) for solution in solutions]
        searches = self._idle.get()
        try:
            found = searches.all(assemblies, limits, self._idle)
        finally:
            self._idle.put(searches)
        for assembly, result in zip(assemblies, found, strict=True):
            if result.plan is not None:
                check_plan(assembly, result.plan)
        return list(zip(assemblies, found, strict=True))


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
