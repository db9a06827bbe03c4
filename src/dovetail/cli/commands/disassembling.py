"""`disassemble`: whether assemblies come apart, and how."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dovetail.cli import options
from dovetail.cli.options import argument, option
from dovetail.cli.output import complain, print_lines
from dovetail.cli.process import EXIT_INTERRUPTED, EXIT_LIMIT
from dovetail.cli.progress import show_run_progress
from dovetail.disassembly import STATE_LIMIT, Method
from dovetail.errors import ConfigError, PuzzleError, how_many
from dovetail.harness.planning import AUTO
from dovetail.harness.workers.options import MAX_JOBS

BURRTOOLS = ".xmpuzzle"
SUFFIXES = (".json", ".html", ".svg", BURRTOOLS)

if TYPE_CHECKING:
    from dovetail.disassembly.search import DisassemblyLimits
    from dovetail.files.text_file import TextFile
    from dovetail.harness.disassembling import AssemblyTally, TakenApart
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.events import Event
    from dovetail.harness.run.job import Job
    from dovetail.harness.run.result import Result
    from dovetail.models.packings.packing import PackingPuzzle
    from dovetail.models.solution import Solution


def disassemble(
    puzzle: options.OnePuzzle,
    solutions: Annotated[
        str | None,
        argument("[SOLUTIONS]", "A file of solutions; without one, all solutions are searched."),
    ] = None,
    backend: options.AnyBackendName = AUTO,
    config: Annotated[
        list[str] | None,
        option(
            "--config -c KEY=VALUE",
            "Setting of the backend, or method=NAME to take assemblies apart: breadth-first "
            "(default), unit-steps (each step is a move) or a-star. Can be repeated.",
            options.suggest_settings_or_methods,
        ),
    ] = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    seed: options.Seed = 0,
    min_level: Annotated[
        int, option("--min-level N", "List only assemblies of at least level N.", min=1)
    ] = 1,
    solutions_only: Annotated[
        bool, option("--solutions-only", "List only the assemblies that come apart.")
    ] = False,
    best: Annotated[
        int | None, option("--best N", "List only the N assemblies of the highest levels.", min=1)
    ] = None,
    moves: Annotated[bool, option("--moves", "List the moves.")] = False,
    output: Annotated[
        Path | None,
        option(
            "--output -o FILE",
            "Write the listed assemblies and their moves (.json; .html: a viewer that plays them; "
            ".svg: pictures of the moves of one assembly of a flat puzzle; .xmpuzzle: BurrTools).",
        ),
    ] = None,
    stored: Annotated[
        bool, option("--stored", "Check the separations that a BurrTools file holds.")
    ] = False,
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
    does not come apart is locked; a limit leaves it undecided. The first number is the least that
    is possible; the others belong to the plan that BurrTools would find. Pieces move without
    turning.
    """
    from dovetail.cli.jobs import GivenOptions
    from dovetail.cli.output import check_differs, destination, write_text
    from dovetail.disassembly.search import DisassemblyLimits
    from dovetail.files.text_file import TextFile
    from dovetail.harness.disassembling import (
        AssemblyTally,
        packing_of,
        separations_writer,
        stored_separations,
    )
    from dovetail.harness.run.clock import Interruption
    from dovetail.plain_data import plain
    from dovetail.reports.describe.disassembly import describe_totals

    given = GivenOptions(locals())
    method, given.values["config"] = _method_of(config or ())
    job, file = given.job()
    packing = packing_of(job.puzzle)
    source = None if output is None else _checked_output(output, file, packing)
    seconds = given.limits().time_s
    deadline = None if seconds is None else time.monotonic() + seconds
    interruption, tally = Interruption(), AssemblyTally(packing)
    listed: list[TakenApart] = []
    searched: list[Result] = []
    burrtools = output is not None and output.suffix == BURRTOOLS
    writer = separations_writer(packing, source, listed) if burrtools else None
    limits = DisassemblyLimits(state_limit, deadline, lambda: interruption.requested, method)
    solved = None if solutions is None else TextFile(Path(solutions))
    if output is not None and solved is not None and (source is None or source.path != solved.path):
        check_differs(output, solved, "solutions")
    every = (
        stored_separations(packing, _stored_in(solved or file), tally)
        if stored
        else _taken_apart(job, solved, limits, jobs or os.cpu_count() or 1, interruption, tally)
    )
    with interruption.on_signal(), interruption.defer():
        found = _followed(every, job, tally, searched)
        wanted = (taken for taken in found if _is_listed(taken, min_level, solutions_only))
        listed += wanted if best is None else nlargest(best, wanted, _level_then_first)
    if not as_json:
        _print_lines(listed, moves=moves)
        print_lines("\n".join(describe_totals(packing.name, tally.totals())))
    if writer is not None:
        with destination(writer, output, source) as stream:
            stream.write(taken.solution for taken in listed)
    if as_json or output is not None:
        fields: dict[str, object] = {"puzzle": packing.name, **plain(tally.totals())}
        fields["disassemblies"] = [taken.fields for taken in listed]
        text = json.dumps({key: value for key, value in fields.items() if key != "seconds"})
        if output is not None and writer is None:
            write_text(output, _written(packing, listed, output.suffix) or text + "\n")
        if as_json:
            print_lines(text)
    raise typer.Exit(_exit_status(job, tally, searched, interruption))


def _followed(
    every: Iterator[TakenApart | Event], job: Job, tally: AssemblyTally, searched: list[Result]
) -> Iterator[TakenApart]:
    """Yield the assemblies, and show the progress; append results of searches to `searched`."""
    from dovetail.harness.disassembling import TakenApart
    from dovetail.harness.run.result import Result

    so_far = tally.so_far
    with show_run_progress(job) as progress:
        for event in every:
            if isinstance(event, TakenApart):
                yield event
                if tally.so_far != so_far:
                    so_far = tally.so_far
                    progress.update(so_far)
                continue
            progress.update(event)
            if isinstance(event, Result):
                searched.append(event)


def _is_listed(taken: TakenApart, min_level: int, solutions_only: bool) -> bool:
    """Return True if the level of an assembly is at least `min_level`.

    An assembly without a level is listed for `min_level` 1, but not with `solutions_only`.
    """
    numbers = taken.disassembly.numbers
    if not numbers:
        return min_level == 1 and not solutions_only
    return max(numbers[0], 1) >= min_level


def _level_then_first(taken: TakenApart) -> Any:
    """Return a sort key: higher levels are greater, and at the same level earlier assemblies."""
    return taken.disassembly.sort_key, -taken.number


def _method_of(words: Sequence[str]) -> tuple[Method, list[str]]:
    """Return the method in the settings on the command line, and the backend's settings."""
    from dovetail.backends.config import build_config, parse_words
    from dovetail.harness.disassembling import DisassemblyConfig

    ours = [word for word in words if word.startswith("method=")]
    config = build_config(DisassemblyConfig, parse_words(ours), "disassemble")
    return Method(config.method), [word for word in words if word not in ours]


def _print_lines(listed: list[TakenApart], *, moves: bool) -> None:
    from dovetail.reports.describe.disassembly import describe_moves, describe_taken_apart

    for taken in listed:
        print_lines(describe_taken_apart(taken))
        if moves and taken.disassembly.plan is not None:
            print_lines("\n".join(describe_moves(taken)))


def _written(puzzle: PackingPuzzle, listed: list[TakenApart], suffix: str) -> str | None:
    """Return an HTML page that plays the moves, or a picture (SVG); None for another `suffix`.

    Raises `PuzzleError` for a picture if no assembly comes apart.
    """
    from dovetail.reports.moves import moves_drawing
    from dovetail.reports.pictures.drawing import svg_text
    from dovetail.reports.viewer.viewer import viewer_page

    if suffix == ".svg":
        first = next((taken for taken in listed if taken.disassembly.plan), None)
        if first is None:
            raise PuzzleError(f"{puzzle.name}: no assembly comes apart; there is nothing to draw")
        return svg_text(moves_drawing(puzzle, first))
    if suffix != ".html":
        return None
    solutions = [taken.solution for taken in listed]
    return viewer_page(puzzle, solutions, taken_apart=[taken.disassembly for taken in listed])


def _checked_output(output: Path, file: TextFile | None, puzzle: PackingPuzzle) -> TextFile | None:
    """Return the file of the puzzle if the separations are written back into it, else None.

    Raises `ConfigError` for an unknown suffix, for pictures of a puzzle that is not flat, and for a
    file that cannot be written.
    """
    from dovetail.cli.output import check_writable, source_to_extend

    if output.suffix not in SUFFIXES:
        raise ConfigError(f"-o {output}: expected a name that ends in {', '.join(SUFFIXES)}")
    if output.suffix == ".svg" and puzzle.lattice.dimension != 2:
        raise ConfigError(f"-o {output}: {puzzle.name} is not flat; valid: .json .html {BURRTOOLS}")
    source = source_to_extend(file, output)
    check_writable(output)
    return source


def _exit_status(
    job: Job, tally: AssemblyTally, searched: list[Result], interruption: Interruption
) -> int:
    """Return the exit status; print the number of undecided assemblies, and unfinished searches."""
    from dovetail.cli.jobs import exit_status, worst
    from dovetail.disassembly.plan import Outcome
    from dovetail.reports.describe.result import describe_result

    if interruption.requested:
        return EXIT_INTERRUPTED
    statuses = [exit_status(result.status) for result in searched]
    for result in searched:
        if exit_status(result.status):
            reason, *_ = describe_result(job, result).splitlines()
            complain(f"there may be more assemblies: {reason}")
    if number := tally.outcomes[Outcome.UNDECIDED]:
        complain(f"left {how_many(number, 'assembly', 'assemblies')} undecided: {tally.reason}")
        statuses.append(EXIT_LIMIT)
    return worst(statuses)


def _stored_in(text: TextFile | None) -> TextFile:
    """Return `text`, the BurrTools file with the separations; raise `ConfigError` for others."""
    if text is None or not text.path.name.removesuffix(".gz").endswith(BURRTOOLS):
        raise ConfigError(f"--stored: expected a BurrTools file ({BURRTOOLS})")
    return text


def _taken_apart(
    job: Job,
    file: TextFile | None,
    limits: DisassemblyLimits,
    threads: int,
    interruption: Interruption,
    tally: AssemblyTally,
) -> Iterator[TakenApart | Event]:
    """Take apart the solutions in a file or of a search; yield the results, and the events."""
    from dovetail.harness.disassembling import packing_of, take_apart, take_run_apart
    from dovetail.harness.workers.runs import Runs

    if file is not None:
        puzzle = packing_of(job.puzzle)
        yield from take_apart(puzzle, _solutions(puzzle, file), limits, threads, tally)
        return
    with Runs([job.listed()]) as runs:
        events = runs.run(0, interruption)
        yield from take_run_apart(job, events, interruption, limits, threads, tally)


def _solutions(puzzle: PackingPuzzle, text: TextFile) -> Iterator[Solution]:
    """Yield the solutions in a file; raise `PuzzleError` if one is wrong or there is none."""
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.formats.registry import read_solutions

    number = 0
    for number, (line, solution) in enumerate(read_solutions(text, puzzle), 1):
        error = solution_error(puzzle, solution)
        if error is not None:
            raise text.error(f"solution {number}: {error}", line)
        yield solution
    if not number:
        raise PuzzleError(f"{text.place}: no solutions found; expected at least one")
