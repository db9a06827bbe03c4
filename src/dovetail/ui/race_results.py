"""State and results of a race: fields, pictures of solutions, viewer, files, records, report."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from threading import Lock
from typing import cast

from dovetail.disassembly.plan import Disassembly, Outcome
from dovetail.disassembly.search import DisassemblyLimits
from dovetail.errors import PuzzleError
from dovetail.harness.disassembling import take_apart
from dovetail.harness.records.record import Record
from dovetail.harness.sizes import show_size
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import extends
from dovetail.reports.describe.result import explained
from dovetail.reports.describe.solutions import board_writer, solutions_writer
from dovetail.reports.numbers import show_seconds, show_span, show_spans, show_whole
from dovetail.reports.pictures.board import partial_board_figure
from dovetail.reports.pictures.drawing import fragment
from dovetail.reports.pictures.picture import Picture, solution_element, solution_figure
from dovetail.reports.rendering.html import page_html
from dovetail.reports.results.page import report_page
from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page
from dovetail.ui.boards import playable
from dovetail.ui.puzzles import picture_text
from dovetail.ui.race import NOT_BEGUN, Lane, Race
from dovetail.ui.requests import Fields, NotFoundError, RequestError
from dovetail.ui.solvers import puzzle_class

WAITING, FINISHED = "waiting", "finished"
IN_PROGRESS = ("phase", "share", "count", "nodes", "elapsed_s")
PICTURE_EVERY_S = 1.0
APART_S = 20.0  # time limit for taking solutions apart
LARGEST_COUNT = 10**300  # as a number of JSON; `count_text` has larger counts, too
MAX_AGE_S = 0.15  # maximum age of a shared state; shorter than a listener's interval


class RaceView:
    """The states of a race, each made once for all listeners."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._state: Fields = {}
        # The version and the picture of the best board of each lane.
        self._pictures = dict[int, tuple[int, str]]()
        self._made_at = self._drawn_at = -inf

    def state(self, race: Race) -> Fields:
        """Return the state of the race, at most `MAX_AGE_S` old; the last state is complete."""
        with self._lock:
            is_new = time.monotonic() < self._made_at + MAX_AGE_S and not race.has_ended
            if not (is_new or self._state.get("finished")):
                self._state = self._made(race)
                self._made_at = time.monotonic()
            return self._state

    def _made(self, race: Race) -> Fields:
        has_ended = race.has_ended  # read before the lanes, so that the lanes are complete
        # Drawn before the scores are read, so that no picture has a better board than its score.
        if has_ended or time.monotonic() >= self._drawn_at + PICTURE_EVERY_S:
            self._draw(race)
        fields = {
            **race_row(race),
            "when_closed": str(race.question.when_closed),
            "finished": has_ended,
            "stopping": race.is_stopping,
            "elapsed": show_span(race.elapsed_s),
            "records": len(race.records),
            "lanes": [lane_fields(lane) for lane in race.lanes],
            "agreed": race.agreed,
        }
        for lane in fields["lanes"]:
            if lane["best"] is not None and lane["number"] in self._pictures:
                lane["best"]["picture"] = self._pictures[lane["number"]][1]
        return fields

    def _draw(self, race: Race) -> None:
        """Draw the best boards that have changed since they were drawn."""
        for lane in race.lanes:
            version, best = lane.improvements, lane.best
            before, _ = self._pictures.get(lane.number, (0, ""))
            if best is not None and version != before:
                puzzle = lane.stored.puzzle
                assert isinstance(puzzle, EdgePuzzle)
                figure = partial_board_figure(puzzle, best.board)
                self._pictures[lane.number] = version, picture_text(figure.drawing)
                self._drawn_at = time.monotonic()


class Listener:
    """A listener of a race; a picture that it has received is not sent to it again."""

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}

    def fields(self, state: Fields) -> Fields:
        """Return the fields of a state without the pictures that have been sent before."""
        return state | {"lanes": list(map(self._lane, state["lanes"]))}

    def _lane(self, lane: Fields) -> Fields:
        best, number = lane["best"] or {}, lane["number"]
        if "picture" not in best:
            return lane
        if self._seen.get(number) == best["picture"]:
            return lane | {"best": {key: best[key] for key in ("score", "bound")}}
        self._seen[number] = best["picture"]
        return lane


def race_row(race: Race) -> Fields:
    """Return the row of a race in the page's list."""
    question = race.question
    return {
        "id": race.identity,
        "puzzle": question.stored.identity,
        "name": question.stored.puzzle.name,
        "kind": puzzle_class(question.stored.puzzle),
        "find": str(question.find),
        "finished": race.has_ended,
        "lanes": [lane_title(lane) for lane in race.lanes],
    }


def lane_title(lane: Lane) -> str:
    """Return the name of a lane's solver with its settings."""
    settings = ", ".join(f"{key}={_written(value)}" for key, value in lane.job.config.items())
    return f"{lane.job.backend} ({settings})" if settings else lane.job.backend


def lane_fields(lane: Lane) -> Fields:
    """Return the current figures of a lane; unknown figures are None."""
    fields: Fields = {
        "number": lane.number,
        "backend": lane.job.backend,
        "title": lane_title(lane),
        "config": dict(lane.job.config),
        "symmetry": str(lane.job.request.symmetry),
        "labelled": lane.job.request.labelled,
        "reductions": [str(reduction) for reduction in lane.job.request.reductions],
        "seed": lane.job.seed,
        "chosen": None,
        "phase": WAITING,
        "status": None,
        "reason": None,
        "count": None,
        "count_is_lower_bound": True,
        "nodes": None,
        "attempts": None,
        "share": None,
        "elapsed_s": lane.elapsed_s,
        "times": {"time": None if lane.elapsed_s is None else show_seconds(lane.elapsed_s)},
        "best": None,
    }
    if lane.progress is not None and not lane.has_ended:
        progress = lane.progress.fields()
        fields |= {name: progress[name] for name in IN_PROGRESS}
        fields["times"] = {
            "time": show_span(fields["elapsed_s"]),
            **_times_left(progress["left_s"], lane.job.limits.time_s, fields["elapsed_s"]),
        }
    elif lane.record is not None:
        result = lane.record.result
        # A stopped run may have found more solutions than its result reports.
        count = None if result.count is None else max(result.count, lane.solutions.found)
        fields |= {"count": count, "nodes": result.nodes}
        fields["attempts"] = result.counters.attempts
        status = result.status
        fields |= {
            "phase": FINISHED,
            "status": str(status),
            "reason": result.reason,
            "count_is_lower_bound": status not in (Status.EXHAUSTED, Status.SOLVED),
            "share": 1.0 if status == Status.EXHAUSTED else None,
            "times": _times_of_record(lane.record, fields["elapsed_s"]),
        }
    elif lane.problem is not None or lane.interruption.requested:
        status = Status.INTERRUPTED if lane.progress is None else Status.FAILED
        reason = lane.problem or NOT_BEGUN  # a lane that is stopped while it waits does not begin
        fields |= {"phase": FINISHED, "status": str(status), "reason": reason}
    if lane.chosen is not None:
        chosen = lane.chosen
        fields["chosen"] = {
            "backend": chosen.backend,
            "config": dict(chosen.config),
            "reductions": list(chosen.reductions),
            "why": explained(chosen),
        }
    if lane.best is not None:
        fields["best"] = {"score": lane.best.score, "bound": lane.best.bound}
    count = fields["count"]
    return fields | {
        "count": count and min(count, LARGEST_COUNT),
        "count_text": None if count is None else show_whole(count),
        "solutions_kept": lane.solutions.kept,
    }


def _times_left(
    left_s: tuple[float, float] | None, limit_s: float | None, elapsed_s: float
) -> dict[str, str]:
    """Return the time left, or the time until a limit that may end the run first; {} if unknown."""
    if left_s is None:
        return {}
    if limit_s is not None and left_s[1] >= limit_s - elapsed_s:
        return {"limit": f"in {show_span(left_s[1])}"}
    return {"time left": show_spans(*left_s)}


def _times_of_record(record: Record, elapsed_s: float | None) -> dict[str, str | None]:
    """Return the times and the memory of a run as texts; None for unknown or zero values."""
    spent = {
        "time": elapsed_s,
        "prepare": record.result.prepare_s,
        "solve": record.result.solve_s,
        "check": record.result.check_s,
    }
    times = {term: show_seconds(seconds) if seconds else None for term, seconds in spent.items()}
    return times | {
        "memory": show_size(record.result.peak_bytes) if record.result.peak_bytes else None
    }


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def records_text(race: Race) -> str:
    """Return the records of the lanes that have ended, in the form that `bench -o` writes."""
    lines = (json.dumps(record.json_fields(), allow_nan=False) for record in race.records)
    return "".join(f"{line}\n" for line in lines)


def report_text(records: Sequence[Record], warnings: Sequence[str] = ()) -> str:
    """Return the report of records as HTML; raise `RequestError` (status 404) for no records."""
    if not records:
        raise RequestError("no run has ended yet, so that there is nothing to report", status=404)
    return page_html(report_page(records, warnings=warnings))


def solutions_fields(lane: Lane, first: int, count: int) -> Fields:
    """Return at most `count` solutions of a lane from index `first` on, with their pictures.

    The numbers in the result start at 1.
    """
    puzzle = lane.stored.puzzle
    return {
        "found": lane.solutions.found,
        "kept": lane.solutions.kept,
        "solutions": [
            {"number": number, "picture": _picture(puzzle, solution, number)}
            for number, solution in enumerate(lane.solutions.read(first, count), start=first + 1)
        ],
    }


def viewer_text(lane: Lane, number: int | None, *, apart: bool) -> str:
    """Return the page of the solution with a number; for None, of up to `MAX_SOLUTIONS` solutions.

    With `apart`, the solutions are taken apart, within `APART_S` seconds. Packings of at most three
    dimensions are shown in the viewer, and other puzzles on a page of pictures. Raises
    `NotFoundError` if no kept solution has the number.
    """
    puzzle = lane.stored.puzzle
    solutions = lane.solutions.read(0, MAX_SOLUTIONS) if number is None else _one(lane, number)
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension <= 3:
        found = lane.solutions.found if number is None else None
        placed = cast("list[PackingSolution]", solutions)
        moves = _taken_apart(puzzle, placed) if apart else ()
        return viewer_page(puzzle, placed, found, moves, framed=number is not None)
    return Picture(puzzle, tuple(solutions)).html


def _taken_apart(puzzle: PackingPuzzle, solutions: Sequence[PackingSolution]) -> list[Disassembly]:
    limits = DisassemblyLimits(deadline=time.monotonic() + APART_S)
    try:
        return [taken.disassembly for taken in take_apart(puzzle, solutions, limits)]
    except PuzzleError as error:
        return [Disassembly(Outcome.UNDECIDED, 0, str(error))] * len(solutions)


def lane_file(lane: Lane, name: str, number: int | None) -> bytes:
    """Return the content of a file called `name` with the best board of a lane, or its solutions.

    With a `number`, the file has only that solution. Raises `DovetailError` for a suffix without a
    format, and for a format that cannot hold the solutions.
    """
    stored = lane.stored
    if lane.job.improves:
        board, puzzle = best_board(lane), playable(stored.puzzle)
        return board_writer(Path(name), puzzle)(puzzle, board).encode()
    source = stored.source
    source = source if source and extends(Path(name).suffix, source) else None
    writer = solutions_writer(Path(name), stored.puzzle, source)
    solutions = _solutions(lane) if number is None else _one(lane, number)
    text = solutions_text(writer, solutions, number or 1)
    return text.encode("utf-8" if source is None else source.encoding)


def best_board(lane: Lane) -> PartialBoard:
    """Return the best board of a lane; raise `RequestError` if there is none yet."""
    if lane.best is None:
        raise RequestError("the run has found no board yet", status=409)
    return lane.best.board


def _one(lane: Lane, number: int) -> list[Solution]:
    """Return a list of the solution with a number; raise `NotFoundError` if it is not kept."""
    solutions = lane.solutions.read(number - 1, 1)
    if not solutions:
        raise NotFoundError("solution", number)
    return solutions


def _solutions(lane: Lane) -> list[Solution]:
    """Return the kept solutions; raise `RequestError` if there are none yet."""
    solutions = lane.solutions.read()
    if not solutions and not lane.has_ended:
        raise RequestError("the run has found no solution yet", status=409)
    return solutions


def _picture(puzzle: Puzzle, solution: Solution, number: int) -> str | None:
    """Return the picture of a solution, or the options of an exact cover; None if there is none."""
    try:
        if isinstance(puzzle, CoverProblem):
            return fragment(solution_element(puzzle, solution, number))
        return picture_text(solution_figure(puzzle, solution, number).drawing)
    except PuzzleError:
        return None
