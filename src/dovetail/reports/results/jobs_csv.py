"""All figures of the results as CSV, a line for each job: for spreadsheets and data frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from dovetail.harness.plain_data import plain
from dovetail.harness.records.fields import field_types
from dovetail.harness.records.questions import by_question, show_settings
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult
from dovetail.reports.csv_text import csv_lines
from dovetail.reports.result_cells import ratios_to_best

QUESTION = ("puzzle", "digest", "symmetry", "labelled", "backend", "settings")
AMONG_OTHERS = ("solve_ratio", "total_ratio", "runs", "solve_min_s", "solve_max_s")


def jobs_csv(results: Sequence[JobResult]) -> str:
    """The text of the file: a header, and a line for each of `results`.

    The columns are those that the fields of a record are declared with. A cell is empty where
    nothing is known; objects and lists are JSON. Ratios are those to the fastest finished run of
    the same question. Figures of repeated runs are those of the median run by time to solve. Names
    are texts that are no formula, see `csv_text`.
    """
    columns = [field for field in field_types(RunRecord).values() if field.about.column]
    columns.sort(key=lambda field: field.about.column)
    scalars = [field.name for field in columns if field.is_scalar]
    objects = [field.name for field in columns if not field.is_scalar]
    lines: list[Iterable[object]] = [(*QUESTION, *scalars, *AMONG_OTHERS, *objects)]
    for question, answers in by_question(results).items():
        for answer, ratios in zip(answers, ratios_to_best(answers), strict=True):
            times = [run.solve_s for run in answer.repeats]
            lines.append(
                (
                    *(answer.puzzle, answer.digest, answer.symmetry, int(question.labelled)),
                    *(answer.backend, show_settings(answer).strip()),
                    *(plain(getattr(answer, name)) for name in scalars),
                    *(ratios if answer.is_answered else (None, None)),
                    *(len(times), min(times), max(times)),
                    *(_object_cell(answer, name) for name in objects),
                )
            )
    return csv_lines(lines)


def _object_cell(answer: JobResult, name: str) -> str | None:
    """Return a list or an object as JSON; None if it is empty."""
    value = plain(getattr(answer, name))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
