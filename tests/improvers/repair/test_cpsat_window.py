"""Windows filled by CP-SAT, against every refill there is."""

from __future__ import annotations

import pytest

from dovetail.improvers.shared.board import score
from improvers.repair.boards import filled
from improvers.repair.test_refills import refills

pytest.importorskip("ortools")


@pytest.mark.parametrize("seed", range(4))
def test_the_best_refill(seed: int) -> None:
    """It is found and proved, whether its cells touch or not."""
    from dovetail.improvers.repair.improver import CpSatWindow

    board, placed = filled(4, 3, seed, 4)
    for cells in ([4, 5, 7, 8], [0, 4, 11]):
        found, proved = CpSatWindow(board, placed, cells).solve(10.0, 10.0, seed=1)
        assert proved
        assert found is not None
        assert score(board, found) == max(refills(board, placed, cells))
        assert sorted(found // 4) == list(range(12))
