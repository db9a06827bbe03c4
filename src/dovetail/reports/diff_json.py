"""What is different between two files of run records, as plain JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dovetail.harness.records.diff.findings import Cost, apart_by_chance
from dovetail.harness.records.diff.run_diff import Disagreement
from dovetail.harness.records.fields import json_fields
from dovetail.reports.diff import FileDiff

QUESTION = ("puzzle", "digest", "symmetry", "labelled")
JOB = ("job", *QUESTION, "backend", "config", "reductions", "status")
ANSWER = (*JOB, "count", "reason")


def diff_fields(file_diff: FileDiff) -> dict[str, Any]:
    """All that is different; a page for people leaves out what most jobs cost."""
    diff = file_diff.diff
    judged = diff.judged_costs
    return {
        "old": str(file_diff.old),
        "new": str(file_diff.new),
        "passed_over": list(file_diff.passed_over),
        "differences": [asdict(difference) for difference in diff.differences],
        "jobs": len(diff.jobs),
        "unchanged": diff.unchanged,
        "questions": diff.questions,
        "disagreements": [_disagreement_fields(one) for one in diff.disagreements],
        "findings": [
            {**json_fields(job.new, *JOB), **asdict(finding)}
            for job in diff.jobs
            for finding in job.findings
        ],
        "costs": [
            {**json_fields(job.new, *JOB), "costs": [_cost_fields(cost) for cost in job.costs]}
            for job in diff.jobs
        ],
        "judged": len(judged),
        "apart_by_chance": apart_by_chance(judged),
        "ratios": [asdict(ratio) for ratio in diff.ratios],
        "removed": [json_fields(record, *ANSWER) for record in diff.removed],
        "added": [json_fields(record, *ANSWER) for record in diff.added],
    }


def _disagreement_fields(disagreement: Disagreement) -> dict[str, Any]:
    return {
        **asdict(disagreement.question),
        "old": [json_fields(record, *ANSWER) for record in disagreement.old],
        "new": [json_fields(record, *ANSWER) for record in disagreement.new],
        "refuted_below": disagreement.refuted_below,
    }


def _cost_fields(cost: Cost) -> dict[str, Any]:
    return {**asdict(cost), "ratio": cost.ratio}
