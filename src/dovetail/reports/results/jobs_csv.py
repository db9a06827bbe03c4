"""All figures of the results as CSV, a line for each job: for spreadsheets and data frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache

from dovetail.harness.records.fields import field_types, json_fields
from dovetail.harness.records.questions import by_question, show_settings
from dovetail.harness.records.record import Record
from dovetail.reports.csv_text import csv_lines
from dovetail.reports.result_cells import ratios_to_best

QUESTION = ("puzzle", "digest", "symmetry", "labelled", "backend", "settings")
# Fields of a record that have no column.
LEFT_OUT = (
    *("schema", "repeat", "outline", "example", "size", "random", "improves", "probable"),
    *("trace", "backtracks_by_trigger", "program", "searched", "piece_selection", "chosen"),
    "parallel",
)
AMONG_OTHERS = ("solve_ratio", "total_ratio", "runs", "solve_min_s", "solve_max_s")


@cache
def record_columns() -> tuple[list[str], list[str]]:
    """Return the fields of a record with a column: texts and numbers, and lists and objects."""
    kinds = {
        name: kind
        for name, kind in field_types(Record).items()
        if name not in (*QUESTION, *LEFT_OUT)
    }
    scalars = [name for name, kind in kinds.items() if kind.is_scalar]
    return scalars, [name for name in kinds if name not in scalars]


def jobs_csv(results: Sequence[Record]) -> str:
    """Return the text of the file: a header, and a line for each of `results`.

    The columns are all fields of a record but those `LEFT_OUT`. A cell is empty if its value is
    unknown; objects and lists are JSON. Ratios are relative to the fastest finished run of the same
    question. Figures of repeated runs are those of the median run by time to solve. Names are
    escaped as in `csv_text`, so that no spreadsheet takes them for formulas.
    """
    scalars, objects = record_columns()
    lines: list[Iterable[object]] = [(*QUESTION, *scalars, *AMONG_OTHERS, *objects)]
    for question, answers in by_question(results).items():
        for answer, ratios in zip(answers, ratios_to_best(answers), strict=True):
            times = [run.result.solve_s for run in answer.runs]
            fields = json_fields(answer)
            lines.append(
                (
                    *(
                        answer.job.puzzle,
                        answer.job.puzzle_digest,
                        answer.job.symmetry,
                        int(question.labelled),
                    ),
                    *(answer.job.backend, show_settings(answer).strip()),
                    *(fields[name] for name in scalars),
                    *(ratios if answer.result.is_answered else (None, None)),
                    *(len(times), min(times), max(times)),
                    *(_object_cell(fields[name]) for name in objects),
                )
            )
    return csv_lines(lines)


def _object_cell(value: object) -> str | None:
    """Return a list or an object as JSON; None if it is empty."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
