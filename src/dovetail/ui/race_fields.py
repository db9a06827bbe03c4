"""A race as the page shows it: lanes with their figures, best boards, whether they agree."""

from __future__ import annotations

import time
from typing import Any

from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.reports.numbers import show_whole
from dovetail.reports.pictures.partial_board import partial_board_figure
from dovetail.ui.catalogue import puzzle_class
from dovetail.ui.puzzle_pictures import picture_text
from dovetail.ui.race import Lane, Race
from dovetail.ui.requests import Fields

WAITING, FINISHED = "waiting", "finished"
PICTURE_EVERY_S = 1.0


class RaceView:
    """What one who watches a race has seen, so that pictures are sent once and not too often."""

    def __init__(self, race: Race) -> None:
        self._race = race
        self._seen: dict[int, int] = {}
        self._drawn_at = 0.0

    def fields(self) -> Fields:
        """The race now."""
        race, question = self._race, self._race.question
        has_ended = race.has_ended  # before the lanes are read: then they are complete
        draws = has_ended or time.monotonic() >= self._drawn_at + PICTURE_EVERY_S
        return {
            **race_row(race),
            "when_closed": str(question.when_closed),
            "order": str(question.order),
            "finished": has_ended,
            "stopping": race.is_stopping,
            "elapsed_s": race.elapsed_s,
            "lanes": [self._lane(lane, draws=draws) for lane in race.lanes],
            "agreed": race.agreed,
        }

    def _lane(self, lane: Lane, *, draws: bool) -> Fields:
        fields = lane_fields(lane)
        best, version = lane.best, lane.improvements
        if best is not None:
            fields["best"] = {"score": best.score, "bound": best.bound, "version": version}
            if draws and self._seen.get(lane.number) != version:
                puzzle = self._race.question.stored.puzzle
                assert isinstance(puzzle, EdgePuzzle)
                figure = partial_board_figure(puzzle, best.board)
                fields["best"]["picture"] = picture_text(figure.drawing)
                self._seen[lane.number], self._drawn_at = version, time.monotonic()
        return fields


def race_row(race: Race) -> Fields:
    """A race in a list."""
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
    """The solver of a lane with its settings."""
    settings = ", ".join(f"{key}={_written(value)}" for key, value in lane.job.config.items())
    return f"{lane.job.backend} ({settings})" if settings else lane.job.backend


def lane_fields(lane: Lane) -> Fields:
    """The figures of a lane by now; those that are not known are None."""
    fields = _no_figures(lane)
    if lane.progress is not None and not lane.has_ended:
        progress = lane.progress.fields()
        shown = ("phase", "share", "count", "nodes", "nodes_per_s", "elapsed_s", "left_s")
        fields |= {name: progress[name] for name in shown}
    elif lane.record is not None:
        shown = ("count", "nodes", "attempts", "prepare_s", "solve_s", "check_s", "peak_bytes")
        fields |= {name: getattr(lane.record, name) for name in shown}
        status = lane.record.status
        fields |= {
            "phase": FINISHED,
            "status": str(status),
            "reason": lane.record.reason,
            "count_is_lower_bound": status not in (Status.EXHAUSTED, Status.SOLVED),
            "share": 1.0 if status == Status.EXHAUSTED else None,
        }
    elif lane.problem is not None:
        status = Status.INTERRUPTED if lane.interruption.requested else Status.FAILED
        fields |= {"phase": FINISHED, "status": str(status), "reason": lane.problem}
    if lane.chosen is not None:
        chosen = lane.chosen
        fields["chosen"] = {
            "backend": chosen.backend,
            "config": dict(chosen.config),
            "reductions": list(chosen.reductions),
            "why": chosen.why,
        }
    count = fields["count"]
    return fields | {
        "count_text": None if count is None else show_whole(count),
        "solutions_found": lane.solutions.found,
        "solutions_kept": lane.solutions.kept,
    }


def _no_figures(lane: Lane) -> dict[str, Any]:
    return {
        "number": lane.number,
        "backend": lane.job.backend,
        "title": lane_title(lane),
        "config": dict(lane.job.config),
        "seed": lane.job.seed,
        "chosen": None,
        "phase": WAITING,
        "status": None,
        "reason": None,
        "count": None,
        "count_is_lower_bound": True,
        "nodes": None,
        "nodes_per_s": None,
        "attempts": None,
        "share": None,
        "elapsed_s": lane.elapsed_s,
        "left_s": None,
        "prepare_s": None,
        "solve_s": None,
        "check_s": None,
        "peak_bytes": None,
        "best": None,
    }


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
