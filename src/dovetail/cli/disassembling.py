"""`disassemble`: whether assemblies come apart, and how."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from heapq import heappush, heapreplace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dovetail.cli import options
from dovetail.cli.options import argument, option
from dovetail.disassembly import STATE_LIMIT
from dovetail.harness.planning import AUTO
from dovetail.harness.workers.options import MAX_JOBS

SUFFIXES = (".json", ".html", ".svg")

if TYPE_CHECKING:
    from dovetail.harness.disassembling import TakenApart
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.job import Job
    from dovetail.models.packing import PackingPuzzle
    from dovetail.models.solution import Solution


def disassemble(
    puzzle: options.OnePuzzle,
    solutions: Annotated[
        str | None,
        argument("[SOLUTIONS]", "A file of solutions; without one, all solutions are searched."),
    ] = None,
    backend: options.AnyBackendName = AUTO,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    seed: options.Seed = 0,
    min_level: Annotated[
        int, option("--min-level N", "List assemblies with at least N moves to begin with.", min=1)
    ] = 1,
    solutions_only: Annotated[
        bool, option("--solutions-only", "List the assemblies that come apart only.")
    ] = False,
    best: Annotated[
        int | None, option("--best N", "List the N assemblies of the highest level only.", min=1)
    ] = None,
    moves: Annotated[bool, option("--moves", "List the moves.")] = False,
    output: Annotated[
        Path | None,
        option(
            "--output -o FILE",
            "Write the moves of what is listed (.json; .html: a viewer that plays them; .svg: "
            "pictures of those of the first assembly, for flat puzzles).",
        ),
    ] = None,
    state_limit: Annotated[
        int, option("--state-limit N", "Leave an assembly after N states, undecided.", min=1)
    ] = STATE_LIMIT,
    time_limit: options.TimeLimit = None,
    source_format: options.SourceFormat = None,
    jobs: Annotated[
        int, option("--jobs N", "Number of threads; 0: one per core.", min=0, max=MAX_JOBS)
    ] = 1,
    as_json: options.AsJson = False,
) -> None:
    """Take the assemblies of a packing puzzle apart.

    Prints the level of each assembly: the number of moves until the first pieces come off, then
    the numbers of both parts, unless all their pieces come off in one move each. An assembly that
    does not come apart is locked; a limit leaves it undecided. The first number is the least; the
    others belong to the plan that BurrTools would find. Pieces move without turning.
    """
    given = locals()
    from dovetail.cli.jobs import jobs_of, limits_of
    from dovetail.cli.output import complain, print_lines, write_text
    from dovetail.cli.process import EXIT_INTERRUPTED, EXIT_LIMIT
    from dovetail.disassembly.plan import Outcome
    from dovetail.disassembly.search import DisassemblyLimits
    from dovetail.errors import ConfigError
    from dovetail.harness.disassembling import (
        AssemblyTally,
        disassembly_fields,
        packing_of,
        take_apart,
    )
    from dovetail.harness.run.clock import Interruption
    from dovetail.reports.describe.disassembly import describe_tally

    if output is not None and output.suffix not in SUFFIXES:
        raise ConfigError(f"-o {output}: expected a name that ends in {', '.join(SUFFIXES)}")
    (job,) = jobs_of(given)
    packing = packing_of(job.puzzle)
    if output is not None and output.suffix == ".svg" and packing.lattice.dimension != 2:
        raise ConfigError(f"-o {output}: {packing.name} is not flat; expected .json or .html")
    seconds = limits_of(given).time_s
    deadline = None if seconds is None else time.monotonic() + seconds
    interruption, tally, listed = Interruption(), AssemblyTally(), _Listed(best)
    limits = DisassemblyLimits(state_limit, deadline, lambda: interruption.requested)
    found = _solutions(job, solutions, interruption)
    with interruption.on_signal(), interruption.defer():
        for taken in take_apart(packing, found, limits, jobs or os.cpu_count() or 1):
            tally.add(taken.disassembly)
            if _is_listed(taken, min_level, solutions_only=solutions_only):
                listed.add(taken)
    if not as_json:
        _print_lines(listed.all(), moves=moves)
        print_lines("\n".join(describe_tally(packing.name, tally)))
    fields: dict[str, object] = {"puzzle": packing.name, **tally.fields()}
    if output is not None or as_json:
        fields["disassemblies"] = [disassembly_fields(taken) for taken in listed.all()]
        text = json.dumps(fields)
        if output is not None:
            write_text(output, _written(packing, listed.all(), output.suffix) or text + "\n")
        if as_json:
            print_lines(text)
    if interruption.requested:
        raise typer.Exit(EXIT_INTERRUPTED)
    if tally.outcomes[Outcome.UNDECIDED]:
        complain(f"{tally.outcomes[Outcome.UNDECIDED]:,} undecided: {tally.reason}")
        raise typer.Exit(EXIT_LIMIT)


def _print_lines(listed: list[TakenApart], *, moves: bool) -> None:
    from dovetail.cli.output import print_lines
    from dovetail.reports.describe.disassembly import describe_moves, describe_taken_apart

    for taken in listed:
        print_lines(describe_taken_apart(taken))
        if moves and taken.disassembly.plan is not None:
            print_lines("\n".join(describe_moves(taken)))


def _is_listed(taken: TakenApart, min_level: int, *, solutions_only: bool) -> bool:
    numbers = taken.disassembly.numbers
    return numbers[0] >= min_level if numbers else not solutions_only and min_level == 1


def _written(puzzle: PackingPuzzle, listed: list[TakenApart], suffix: str) -> str | None:
    """Return a viewer of the assemblies that plays their moves, or pictures; None for others."""
    from dovetail.errors import PuzzleError
    from dovetail.models.solution import PackingSolution
    from dovetail.reports.pictures.drawing import svg_text
    from dovetail.reports.pictures.moves import moves_drawing
    from dovetail.reports.viewer.viewer import viewer_page

    if suffix == ".svg":
        first = next((taken for taken in listed if taken.disassembly.plan), None)
        if first is None:
            raise PuzzleError(f"{puzzle.name}: no assembly comes apart; there is nothing to draw")
        return svg_text(moves_drawing(puzzle, first))
    if suffix != ".html":
        return None
    fixed = len(puzzle.fixed)
    solutions = []
    for taken in listed:
        placed = list(zip(taken.assembly.names, taken.assembly.cells, strict=True))
        solutions.append(PackingSolution(tuple(placed[: len(placed) - fixed]), puzzle.lattice))
    return viewer_page(puzzle, solutions, taken_apart=[taken.disassembly for taken in listed])


class _Listed:
    """The assemblies to list: all, or the best ones by level, the best first."""

    def __init__(self, best: int | None) -> None:
        self._best = best
        self._found: list[Any] = []

    def add(self, taken: TakenApart) -> None:
        entry = (taken.disassembly.sort_key, -taken.number, taken)
        if self._best is None:
            self._found.append(entry)
        elif len(self._found) < self._best:
            heappush(self._found, entry)
        elif entry > self._found[0]:
            heapreplace(self._found, entry)

    def all(self) -> list[TakenApart]:
        found = self._found if self._best is None else sorted(self._found, reverse=True)
        return [taken for _, _, taken in found]


def _solutions(job: Job, file: str | None, interruption: Interruption) -> Iterator[Solution]:
    """Yield the solutions in a file, verified, or those that a search finds."""
    from dovetail.errors import PuzzleError
    from dovetail.files.text_file import TextFile
    from dovetail.harness.run.events import Found
    from dovetail.harness.workers.options import ParallelOptions
    from dovetail.harness.workers.runs import Runs
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.formats.registry import read_solutions

    if file is None:
        with Runs([job.listed()], ParallelOptions()) as runs:
            for event in runs.run(0, interruption):
                if isinstance(event, Found):
                    yield from event.solutions()
        return
    text = TextFile(Path(file))
    number = 0
    for number, (line, solution) in enumerate(read_solutions(text, job.puzzle), 1):
        error = solution_error(job.puzzle, solution)
        if error is not None:
            raise text.error(f"solution {number}: {error}", line)
        yield solution
    if not number:
        raise PuzzleError(f"{text.place}: no solutions found; expected at least one")
