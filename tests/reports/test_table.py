"""The comparison table."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from dovetail.api import bench
from dovetail.reports.table import print_comparison


def test_settings_are_shown_as_one_writes_them(tmp_path: Path) -> None:
    """Behind -c and --reduce: lists with commas, reductions by their names."""
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "one"\n[[run]]\npuzzles = ["pentominoes-3x5-LPU"]\nbackends = ["dlx"]\n'
        'reduce = ["redundancy", "volume"]\n'
    )
    (result,) = bench(suite)
    result["config"] |= {"stages": ["s", "f@2"], "nof": True}
    shown = io.StringIO()
    print_comparison([result], Console(file=shown, width=200))
    assert " dlx stages=s,f@2 nof=True −redundancy −volume " in shown.getvalue()
