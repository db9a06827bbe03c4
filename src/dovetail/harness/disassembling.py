"""Taking the assemblies of a puzzle apart in one or several threads, with results and totals."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from operator import add
from queue import SimpleQueue

import numpy as np

from dovetail.backends.base import Config, setting
from dovetail.disassembly import Method
from dovetail.disassembly.assemblies import AssemblyBatch, PlacedCells, PuzzleAssemblies
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import (
    Assembly,
    Disassembly,
    Move,
    Outcome,
    PlanTable,
    Separation,
)
from dovetail.disassembly.replay import check_plans, plan_error
from dovetail.disassembly.search import BatchResults, DisassemblyLimits, TakingApart
from dovetail.disassembly.shapes import ShapeTable
from dovetail.errors import ConfigError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.run.clock import Interruption, Stopwatch
from dovetail.harness.run.events import AssembliesSoFar, Compiling, Event, Found, Started
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Disassembled, Result
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
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
        "How assemblies are taken apart. unit-steps counts each step as a move; with a-star, the "
        "numbers of a level after the first may differ.",
        choices=Method,
    )


# Maximum number of solutions that are read at a time: with several threads, and with a single
# thread, which takes all of them apart before it yields the first result.
READ_AT_ONCE, READ_ALONE = 2_048, 64
# Minimum and maximum number of assemblies that a thread takes apart at a time.
LEAST_BATCH, MOST_BATCH = 16, 1_024


@dataclass(frozen=True, repr=False, eq=False)
class TakenApart(Reported):
    """An assembly, its number from 1, and its result; a plan in the result has been verified.

    >>> found = disassemble("soma-cube", next(solve("soma-cube")))
    >>> str(found.outcome), found.level
    ('apart', '1')
    """

    number: int
    batch: BatchResults
    index: int
    """Index of the assembly in the batch."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TakenApart) and self._content == other._content

    def __hash__(self) -> int:
        return hash((self.number, self.disassembly))

    @property
    def _content(self) -> tuple[object, ...]:
        return self.number, self.assembly, self.disassembly, self.disassembly.plan

    @cached_property
    def assembly(self) -> Assembly:
        """The pieces in their places."""
        return self.batch.batch.assembly(self.index)

    @cached_property
    def disassembly(self) -> Disassembly:
        """The outcome, the plan and the states of the search."""
        return self.batch.disassembly(self.index)

    @property
    def outcome(self) -> Outcome:
        """Whether the assembly comes apart: `apart`, `locked` or `undecided`."""
        return self.disassembly.outcome

    @property
    def level(self) -> str:
        """The level, such as `4.9.3`; empty for an assembly that does not come apart."""
        return self.disassembly.level

    @property
    def moves(self) -> int:
        """The number of moves of the whole plan; 0 without a plan."""
        return self.disassembly.moves

    @property
    def solution(self) -> PackingSolution:
        """The assembly as a solution: its pieces in the same order, without fixed pieces."""
        placed = tuple(zip(self.assembly.names, self.assembly.cells, strict=True))
        placed = placed[: len(placed) - self.batch.batch.kinds.fixed]
        return PackingSolution(placed, self.assembly.lattice)

    @property
    def fields(self) -> dict[str, object]:
        """The result with its plan as plain data."""
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
    """The results of taking apart the assemblies of a search, and the `result` of the search.

    >>> disassemble("soma-cube").result.status.is_limit
    False
    """

    result: Result
    """Result of the search for assemblies; its status says whether a limit ended the search."""

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.result}"


@dataclass
class AssemblyTally:
    """Totals over the assemblies of a puzzle that were taken apart; see `Disassembled`."""

    puzzle: PackingPuzzle
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    first_numbers: Counter[int] = field(default_factory=Counter)
    best: Disassembly | None = None
    """Result with the highest level; None if no assembly comes apart."""
    holes: int = 0
    states: int = 0
    reason: str | None = None

    def add(self, found: BatchResults) -> None:
        """Add the results of a batch to the totals."""
        for outcome in Outcome:
            self.outcomes[outcome] += found.outcomes.count(outcome)
        self.states += sum(found.states)
        if found.reasons and self.reason is None:
            self.reason = found.reasons[min(found.reasons)]
        if found.outcomes:
            self.holes = max(self.holes, len(self.puzzle.region) - found.batch.fewest_cells)
        keys = found.plans.sort_keys
        apart = [n for n, outcome in enumerate(found.outcomes) if outcome is Outcome.APART]
        self.first_numbers.update(keys[number][0] if keys[number] else 0 for number in apart)
        highest = max(apart, key=keys.__getitem__, default=None)
        if highest is not None and (self.best is None or keys[highest] > self.best.sort_key):
            self.best = found.disassembly(highest)

    @property
    def so_far(self) -> AssembliesSoFar:
        """Number of assemblies, and number of assemblies that come apart."""
        return AssembliesSoFar(self.outcomes.total(), self.outcomes[Outcome.APART])

    def totals(self, seconds: float = 0.0) -> Disassembled:
        """Return the totals so far; `seconds` is the time spent on taking assemblies apart."""
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
    """Return `puzzle` if its assemblies can be taken apart.

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
    tally: AssemblyTally | None = None,
) -> Iterator[TakenApart]:
    """Take solutions of a puzzle apart in `jobs` threads; yield the results in the given order.

    Every plan is verified by playing its moves. The results are added to `tally`. Raises
    `PuzzleError` for a solution of another puzzle, for a lattice whose pieces do not slide, and for
    a wrong plan.
    """
    rest = iter(solutions)
    with Disassembler(puzzle, limits, jobs, tally) as disassembler:
        at_once = READ_AT_ONCE if jobs > 1 else READ_ALONE
        while batch := list(islice(rest, at_once)):
            disassembler.add(batch)
            yield from disassembler.results(2 * jobs)
        yield from disassembler.results()


def take_run_apart(
    job: Job,
    events: Iterable[Event],
    interruption: Interruption | None = None,
    limits: DisassemblyLimits | None = None,
    jobs: int = 1,
    tally: AssemblyTally | None = None,
) -> Iterator[Event | TakenApart]:
    """Take apart the solutions that a run lists; yield its events and the result of each solution.

    The events `Compiling` and `AssembliesSoFar` are added. The results are added to `tally`. The
    final `Result` has the totals of the tally if the run has searched; its status is `interrupted`
    if the run was interrupted and an assembly is undecided. The time limit of the job applies to
    taking apart, too. With several `jobs`, threads take the solutions apart while the search
    continues. Raises the errors of `packing_of` and `take_apart`.
    """
    puzzle = packing_of(job.puzzle)
    tally, watch = tally or AssemblyTally(puzzle), Stopwatch()
    interruption = interruption or Interruption()
    limits = replace(limits or DisassemblyLimits(), stopped=lambda: interruption.requested)
    with Disassembler(puzzle, limits, jobs, tally) as disassembler:
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
                    disassembler.add(event)
            batches = disassembler.batches(0 if ends else None)
            while True:
                with watch, interruption.defer():
                    taken = next(batches, None)
                if taken is None:
                    break
                yield from taken
                yield tally.so_far
            if isinstance(event, Result) and event.status.has_searched:
                stopped = interruption.requested and tally.outcomes[Outcome.UNDECIDED]
                status = Status.INTERRUPTED if stopped else event.status
                totals = tally.totals(watch.wall_s)
                yield replace(event, status=status, disassembled=totals)
            else:
                yield event


def stored_separations(
    puzzle: PackingPuzzle, file: TextFile, tally: AssemblyTally | None = None
) -> Iterator[TakenApart]:
    """Yield the solutions in a BurrTools file with their separations, after verifying both.

    The results are added to `tally`. A solution without a separation is undecided, unless it is a
    single piece, whose separation has no moves and is not stored. Raises `FormatError` for a wrong
    solution or separation. Raises `PuzzleError` if the file has no solution or if the pieces of the
    lattice do not slide.
    """
    from dovetail.puzzles.formats.burrtools.solutions import read_separations_of

    number, reader = 0, PuzzleAssemblies(puzzle, PlacedCells(puzzle.lattice))
    vectors = directions_of(puzzle.lattice).vectors
    for number, (line, solution, plan) in enumerate(read_separations_of(puzzle, file), 1):
        error = solution_error(puzzle, solution)
        if error is not None:
            raise file.error(f"solution {number}: {error}", line)
        batch = reader.of_solutions([solution])
        try:
            error = None if plan is None else plan_error(batch.assembly(0), plan)
        except PuzzleError as problem:  # too many pieces
            error = str(problem)
        if error is not None:
            raise file.error(f"the separation of solution {number}: {error}", line)
        is_apart = plan is not None or len(batch.cells) < 2
        outcome = Outcome.APART if is_apart else Outcome.UNDECIDED
        reasons = {} if is_apart else {0: "no separation is stored"}
        found = BatchResults(batch, PlanTable.of([plan], vectors), [outcome], [0], reasons)
        if tally is not None:
            tally.add(found)
        yield from _taken(found, number)
    if not number:
        raise PuzzleError(f"{file.place}: no solutions found; expected at least one")


def separations_writer(
    puzzle: PackingPuzzle, source: TextFile | None, listed: Sequence[TakenApart]
) -> UnboundedWriter:
    """Return a writer of a BurrTools file with assemblies and their separations.

    `listed` must contain each assembly before the assembly is written. `source` is a file that
    contains the puzzle, and its text is written again with the assemblies as solutions. If `source`
    is None, a new file is written. Raises `PuzzleError` for a puzzle that BurrTools cannot express
    or that `source` does not contain.
    """
    from dovetail.puzzles.formats.burrtools.solutions import write_back
    from dovetail.puzzles.formats.burrtools.writer import AssemblyWriter, file_writer

    writer = file_writer(puzzle) if source is None else write_back(source, puzzle)
    assembly_writer = writer.one
    assert isinstance(assembly_writer, AssemblyWriter)

    def element(number: int, solution: Solution) -> str:
        return assembly_writer(number, solution, listed[number - 1].disassembly.plan)

    return UnboundedWriter(writer.head, element, writer.tail)


def _taken(found: BatchResults, first: int) -> list[TakenApart]:
    """Return the results of a batch; the number of the first assembly is `first`."""
    return [TakenApart(first + index, found, index) for index in range(len(found.outcomes))]


class Disassembler:
    """Takes solutions of a puzzle apart, in the calling thread or in several threads (`jobs`).

    The results are added to `tally`. At the end of the context, threads stop, and batches that are
    under way end early.
    """

    def __init__(
        self,
        puzzle: PackingPuzzle,
        limits: DisassemblyLimits | None = None,
        jobs: int = 1,
        tally: AssemblyTally | None = None,
    ) -> None:
        self.limits, self._added = limits or DisassemblyLimits(), 0
        self._puzzle, self._number, self._closed = puzzle, 0, False
        self._tally = tally or AssemblyTally(puzzle)
        self._idle = SimpleQueue[TakingApart]()
        table = ShapeTable(puzzle.lattice)
        self._reader = PuzzleAssemblies(puzzle, table.placed)
        for _ in range(jobs):
            self._idle.put(TakingApart(puzzle.lattice, table))
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        self._waiting = deque[Future[BatchResults]]()

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
        _checked(searches.batch(AssemblyBatch.of(searches.table.placed, [two])))
        self._idle.put(searches)

    def add(self, solutions: Sequence[Solution] | Found) -> None:
        """Take solutions apart in batches; with several threads, do not wait for the results."""
        if isinstance(solutions, Found):
            options = solutions.lowered and solutions.lowered.all_options
            assert isinstance(options, PackingOptions)
            every = self._reader.of_options(options, solutions.options)
        else:
            every = self._reader.of_solutions(solutions)
        first = 0
        while first < len(every):
            # Batches grow with the number of assemblies so far: the first results come soon, and
            # no batch is a large part of all assemblies.
            size = min(max(LEAST_BATCH, self._added // 8), MOST_BATCH)
            batch = every.part(first, first + size)
            first, self._added = first + len(batch), self._added + len(batch)
            if self._pool is None:
                future = Future[BatchResults]()
                future.set_result(self._search(batch))
            else:
                future = self._pool.submit(self._search, batch)
            self._waiting.append(future)

    def results(self, unfinished: int | None = 0) -> Iterator[TakenApart]:
        """Yield the results so far, in the order of the solutions.

        Waits until at most `unfinished` batches remain, then stops at the first batch that has not
        finished. If `unfinished` is None, does not wait at all.
        """
        return chain.from_iterable(self.batches(unfinished))

    def batches(self, unfinished: int | None = 0) -> Iterator[list[TakenApart]]:
        """Yield the results batch by batch, and add them to the tally; see `results`."""
        while self._waiting:
            must = unfinished is not None and len(self._waiting) > unfinished
            if not must and not self._waiting[0].done():
                return
            found = self._waiting.popleft().result()
            self._tally.add(found)
            yield _taken(found, self._number + 1)
            self._number += len(found.outcomes)

    def _search(self, batch: AssemblyBatch) -> BatchResults:
        given = self.limits
        limits = replace(given, stopped=lambda: self._closed or given.stopped())
        searches = self._idle.get()
        try:
            return _checked(searches.batch(batch, limits, self._idle))
        finally:
            self._idle.put(searches)


def _checked(found: BatchResults) -> BatchResults:
    """Return `found` after verifying all of its plans; raise `PuzzleError` for a wrong plan."""
    apart = [outcome is Outcome.APART for outcome in found.outcomes]
    check_plans(found.batch, found.plans, np.array(apart, dtype=bool))
    return found


def separation_fields(separation: Separation) -> dict[str, object]:
    """Return a separation and the separations of its parts as plain data.

    Pieces are numbered from 0.
    """
    return {
        "pieces": list(separation.pieces),
        "moves": [_move_fields(move) for move in separation.moves],
        "stays": None if separation.stays is None else separation_fields(separation.stays),
        "leaves": None if separation.leaves is None else separation_fields(separation.leaves),
    }


def _move_fields(move: Move) -> Mapping[str, object]:
    return {"pieces": list(move.pieces), "direction": list(move.direction), "steps": move.steps}
