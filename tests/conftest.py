"""What all tests share."""

from __future__ import annotations

import fcntl
import gc
import os
from collections import Counter

import pytest
from hypothesis import settings

from docs.built_site import Site, build_once

# No time limit per example: the first call of a kernel compiles it.
settings.register_profile("dovetail", deadline=None, derandomize=True, max_examples=35)
settings.load_profile("dovetail")
# With the usual threshold, garbage collection takes a tenth of the time: compilers hold much.
gc.set_threshold(200_000)
# With colorama, which mkdocs needs, marks in messages that numba drops take a tenth of its time.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"
os.environ["DOVETAIL_QUIET"] = "1"  # whether something compiles depends on the tests before
os.environ["DOVETAIL_COMPILE_PROCESSES"] = "1"  # the processes of pytest-xdist use all cores


@pytest.fixture(scope="session", autouse=True)
def _unraced_search(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile the kernels once, before anything is measured against a limit.

    The first of the processes of a run compiles them, the others wait.
    """
    from dovetail.backends.dlx.backend import Dlx

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (shared / "warm_up.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Dlx().warm_up()


@pytest.fixture(scope="session")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of the documentation, built once for all processes of a run."""
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return build_once(shared / "documentation")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was skipped: a line for each reason, however many tests had it."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")
