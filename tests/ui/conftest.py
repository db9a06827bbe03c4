"""A server for the tests of a module that need one.

It does not outlive the module: other tests replace the clock by which its loop waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("starlette", reason="the extra ui is not installed")
pytest.importorskip("uvicorn", reason="the extra ui is not installed")

from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.ui.serving.server import PageServer
from dovetail.ui.workspace import Workspace
from ui.served import BOARD, LONG, SIX, Visitor, served


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of records that is not there yet."""
    return tmp_path_factory.mktemp("records") / "runs.jsonl"


@pytest.fixture(scope="module")
def server(records: Path) -> Iterator[PageServer]:
    """A server that offers a small puzzle, a long one and a board, and follows a file."""
    offered = [(catalogue_puzzle(name), None) for name in (SIX, LONG, BOARD)]
    with served(Workspace(offered, [records])) as started:
        yield started


@pytest.fixture
def visitor(server: PageServer) -> Iterator[Visitor]:
    """One who has opened the address of the server."""
    with closing(Visitor(server.address)) as opened:
        yield opened
