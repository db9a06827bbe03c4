"""The comparison table."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from dovetail.api import bench
from dovetail.harness.records.record import Record
from dovetail.plain_data import Setting
from dovetail.reports.terminal import print_results
from harness.records.made import changed


def one_run(tmp_path: Path) -> Record:
    """Return the record of a small run."""
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "one"\n[[run]]\npuzzles = ["pentominoes-3x5-LPU"]\nbackends = ["dlx"]\n'
        'reduce = ["redundancy", "volume"]\n'
    )
    (result,) = bench(suite)
    return result


def printed(result: Record, width: int) -> str:
    """Return what a console of this width shows of one run."""
    shown = io.StringIO()
    print_results([result], Console(file=shown, width=width))
    return shown.getvalue()


def test_settings_are_shown_as_one_writes_them(tmp_path: Path) -> None:
    """Behind -c and --reduce: lists with commas, reductions by their names."""
    result = one_run(tmp_path)
    result = changed(result, config={**result.job.config, "stages": ["s", "f@2"], "nof": True})
    assert " dlx stages=s,f@2 nof=True −redundancy −volume " in printed(result, 200)


@pytest.mark.parametrize("width", [40, 60, 80, 100_000])
def test_what_is_wrong_is_named_whole(width: int, tmp_path: Path) -> None:
    """Puzzle and backend with its settings in the table, and the reason below it."""
    result = one_run(tmp_path)
    reason = " ".join(f"word{n}" for n in range(99))
    stages: list[Setting] = ["dlx:s", "fila:f@11"]
    result = changed(result, config={**result.job.config, "stages": stages}).marked_wrong(reason)
    text = printed(result, width)
    names = {"pentominoes-3x5-LPU", "dlx", "stages=dlx:s,fila:f@11", "−redundancy", "−volume"}
    table, _, below = text.partition("WRONG OR FAILED:")
    assert names <= set(table.split())
    assert set(reason.split()) <= set(below.split())
    assert "…" not in text
    assert (width == 100_000) == (f"  pentominoes-3x5-LPU, dlx: {reason}\n" in text)
