"""All figures of the results as CSV, a line for each job: for spreadsheets and data frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.questions import by_question, show_settings
from dovetail.harness.records.record import Record
from dovetail.reports.csv_text import csv_lines
from dovetail.reports.result_cells import ratios_to_best

QUESTION = ("puzzle", "digest", "symmetry", "labelled", "backend", "settings")
# Fields of a record: first texts, numbers and truth values, then lists and objects.
SCALARS = (
    *("status", "count", "expected", "nodes", "attempts", "node_meaning", "warm_up_s", "prepare_s"),
    *("solve_s", "solve_cpu_s", "check_s", "total_s", "peak_bytes", "baseline_bytes", "verified"),
    *("symmetry_expansion", "suite", "begun", "commit", "seed", "job", "reason", "cold_start"),
    *("best_known", "score", "bound"),
)
OBJECTS = (
    *("config", "reductions", "triggers", "trials", "tags", "limits", "placements", "native"),
    *("attempts_by_remaining", "fits_by_remaining", "published", "machine", "versions", "load"),
)
AMONG_OTHERS = ("solve_ratio", "total_ratio", "runs", "solve_min_s", "solve_max_s")


def jobs_csv(results: Sequence[Record]) -> str:
    """The text of the file: a header, and a line for each of `results`.

    The columns are fields of a record. A cell is empty where
    nothing is known; objects and lists are JSON. Ratios are those to the fastest finished run of
    the same question. Figures of repeated runs are those of the median run by time to solve. Names
    are texts that are no formula, see `csv_text`.
    """
    lines: list[Iterable[object]] = [(*QUESTION, *SCALARS, *AMONG_OTHERS, *OBJECTS)]
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
                    *(fields[name] for name in SCALARS),
                    *(ratios if answer.result.is_answered else (None, None)),
                    *(len(times), min(times), max(times)),
                    *(_object_cell(fields[name]) for name in OBJECTS),
                )
            )
    return csv_lines(lines)


def _object_cell(value: object) -> str | None:
    """Return a list or an object as JSON; None if it is empty."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
