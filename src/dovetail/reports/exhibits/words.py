"""Texts that the parts of all exhibits share: the boards, the limits, and single figures."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.errors import how_many
from dovetail.harness.exhibits.measured import Measured, MeasuredBoard
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT, show_seconds, show_whole


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a suite's text, which have empty lines between them."""
    return [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]


def boards_sentence(measured: Measured, kept: Sequence[MeasuredBoard], rule: str) -> str:
    """Return a sentence on how many boards the suite asks, how many were run, and how many kept."""
    drawn, run = len(measured.exhibit.boards), len(measured.boards)
    text = f"The suite has {how_many(drawn, 'board')}"
    if run < drawn:
        text += f"; every series has run on {run}"
    return f"{text}. Included: {len(kept)} ({rule})."


def show_nodes(run: Record) -> str:
    """The nodes of a run; `≥` before them where it was cut."""
    if run.result.nodes is None:
        return ABSENT
    return f"{'' if run.result.is_finished else '≥ '}{show_whole(run.result.nodes)}"


def show_time(run: Record, seconds: float) -> str:
    """The `seconds` of a run, `>` before them where it was cut; else what became of it."""
    if run.result.is_finished:
        return show_seconds(seconds)
    if run.result.status.is_limit:
        return f"> {show_seconds(seconds)}"
    return "refused" if run.result.status is Status.SKIPPED else str(run.result.status)
