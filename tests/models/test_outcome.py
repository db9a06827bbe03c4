"""What statuses mean."""

from __future__ import annotations

import pytest

from dovetail.models.outcome import Status

# By status: whether it is a limit or an error, and whether there was a search and an answer.
MEANINGS = {
    Status.EXHAUSTED: (False, False, True, True),
    Status.SOLVED: (False, False, True, True),
    Status.SOLUTION_LIMIT: (False, False, True, True),
    Status.NODE_LIMIT: (True, False, True, True),
    Status.REMAINING_LIMIT: (False, False, True, True),
    Status.TIME_LIMIT: (True, False, True, True),
    Status.MEMORY_LIMIT: (True, False, True, True),
    Status.INTERRUPTED: (False, False, True, True),
    Status.SKIPPED: (False, False, False, False),
    Status.FAILED: (False, True, False, False),
    Status.WRONG: (False, True, True, False),
}


@pytest.mark.parametrize("status", Status)
def test_what_a_status_means(status: Status) -> None:
    """Every one of them."""
    meaning = (status.is_limit, status.is_error, status.has_searched, status.has_answer)
    assert meaning == MEANINGS[status]
