"""`improve`: the board with the most matched edges, where no solver can finish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli import options, suggestions
from dovetail.cli.options import option
from dovetail.cli.output import MESSAGES, print_lines, print_text, write_text
from dovetail.cli.process import EXIT_INTERRUPTED, EXIT_WRONG
from dovetail.improvers import DEFAULT_IMPROVER, DEFAULT_TIME_S


def improve(
    puzzle: options.OnePuzzle,
    backend: Annotated[
        str,
        option(
            "--backend -b NAME", "Improver; see `dovetail list improvers`.", suggestions.improvers
        ),
    ] = DEFAULT_IMPROVER,
    config: options.ConfigWords = None,
    seed: options.Seed = 1,
    time_limit: options.TimeLimit = f"{DEFAULT_TIME_S:.0f}s",
    node_limit: options.NodeLimit = None,
    start: Annotated[
        Path | None, option("--start FILE", "Board to improve (.json .url .e2.url .txt).")
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o FILE",
            "Write the best board to FILE (.json .url .e2.url .txt; pictures: .svg .html).",
        ),
    ] = None,
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
) -> None:
    """Search for the board with the most matched edges.

    For edge-matching puzzles that no search can exhaust. The frame and the hints are kept; the
    score is the number of inner edges that match. Prints each better score to standard error, and
    the best board when every edge matches, when time is up or on Ctrl-C.
    """
    given = locals()
    from dovetail.backends.config import parse_words
    from dovetail.cli.destination import check_differs, check_writable
    from dovetail.cli.jobs import limits_of
    from dovetail.cli.progress import show_run_progress
    from dovetail.files.text_file import TextFile
    from dovetail.harness.improving import edge_puzzle, improving_job
    from dovetail.harness.improving import improve as improved
    from dovetail.harness.records.recording import result_fields
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.result import BestBoard, Result
    from dovetail.models.outcome import Status
    from dovetail.puzzles.formats.registry import read_board
    from dovetail.puzzles.loading import Reference
    from dovetail.reports.describe_result import describe_improvement, improved_line
    from dovetail.reports.pictures.text import painted_board, terminal_paint
    from dovetail.reports.solution_file import board_writer

    reference = Reference(puzzle)
    board = edge_puzzle(reference.puzzle(source_format))
    write = None if output is None else board_writer(output, board)
    if output is not None:
        check_differs(output, reference.file)
        check_writable(output)
    started = None if start is None else read_board(TextFile(start), board)
    settings, limits = parse_words(config or ()), limits_of(given)
    job = improving_job(board, backend, settings, limits, seed=seed, start=started)
    interruption = Interruption()
    with interruption.on_signal():
        events = improved(job, interruption)
        with show_run_progress(job):
            next(events)  # after compiling; each better board is printed in a separate line
        for event in events:
            if isinstance(event, Result):
                result = event
            elif isinstance(event, BestBoard) and not as_json:
                MESSAGES.note(improved_line(job, event))
    assert result.board is not None, "the first board is laid before the search"
    if output is not None and write is not None:
        write_text(output, write(board, result.board))
    if as_json:
        print_lines(json.dumps(result_fields(job, result)))
    else:
        if output is None:
            print_text(painted_board(board, result.board, terminal_paint()) + "\n")
        if output is not None or not MESSAGES.quiet:
            print_lines(describe_improvement(job, result), to_stderr=output is None)
    if result.status == Status.INTERRUPTED:
        raise typer.Exit(EXIT_INTERRUPTED)
    if result.status == Status.WRONG:
        raise typer.Exit(EXIT_WRONG)
