"""The dancing-links kernel against its twin in plain Python, node for node."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from backends.cover_searches import searched
from backends.dlx.twin import Twin
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.cover import CoverProblem
from oracle.strategies import cover_problems


@given(cover_problems())
@settings(max_examples=140)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, and the same number of nodes at every depth."""
    twin = Twin(problem)
    search, solutions = searched(DlxSearch(problem, None))
    assert solutions == twin.solutions
    depths = np.flatnonzero(search._fits)
    assert {int(d): int(search._fits[d]) for d in depths} == dict(twin.nodes)
