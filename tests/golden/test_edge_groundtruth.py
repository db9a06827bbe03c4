"""Edge-matching boards counted by an independent backtracker, exact.

The boards and `groundtruth.csv` lie beside the project, not in it; without them the tests
are skipped.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load
from oracle.answers import counted

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "edge" / "generated"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the boards are not at {FOLDER}")


def truth(file: str) -> dict[str, str]:
    """The row of the ground truth for `file`."""
    lines = (FOLDER / "groundtruth.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return next(row for row in rows if row["file"] == file)


@pytest.mark.parametrize(
    ("file", "labelled"),
    [
        pytest.param("E_9_1.11.txt", False),
        pytest.param("E_9_1.11.txt", True, marks=pytest.mark.slow),
        pytest.param("E_8_1.9.txt", False, marks=pytest.mark.slow),
        pytest.param("E_8_1.9.txt", True, marks=pytest.mark.slow),
    ],
)
def test_dlx_unique(file: str, labelled: bool) -> None:
    """Boards up to rotation, identical tiles once or labelled."""
    finished = counted(load(FOLDER / file), "dlx", "unique", labelled=labelled)
    expected = int(truth(file)["solutions_labelled" if labelled else "boards"])
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)
