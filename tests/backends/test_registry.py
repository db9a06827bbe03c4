"""The registry: names, and what a missing library is called."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from dovetail import jit
from dovetail.backends import clingo, constraint, sat
from dovetail.backends.base import PLACEMENT_MADE, PLACEMENT_TRIED
from dovetail.backends.choco import backend as choco
from dovetail.backends.cpsat import backend as cpsat
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import ConfigError
from dovetail.extras import install_command
from dovetail.harness.planning import AUTO
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load

SOLVERS = Path(__file__).parents[2] / "docs" / "solvers" / "index.md"


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend is refused, and the line to install it is given."""
    libraries = {
        "cpsat": cpsat,
        "constraint": constraint,
        "choco": choco,
        "clingo": clingo,
        "sat": sat,
    }
    for name, module in libraries.items():
        monkeypatch.setattr(module, "find_spec", lambda _: None)
        finished = finish(execute(Job(load("queens-6"), backend=name)))
        assert finished.status == Status.SKIPPED
        assert finished.reason is not None
        assert finished.reason.endswith(install_command(name))
    assert not_installed(backend_named("dlx")) is None


def test_unknown_names_list_the_valid_ones() -> None:
    """As everywhere."""
    with pytest.raises(
        ConfigError,
        match="unknown backend 'x'; valid: bitset, choco, clingo, colorpair, command, constraint, ",
    ):
        backend_named("x")


def test_the_table_of_backends_says_what_a_node_is() -> None:
    """That of docs/solvers has the words of each backend, a dash for one that counts none."""
    rows = [line.split("|") for line in SOLVERS.read_text().splitlines() if line.startswith("| `")]
    documented = {row[1].strip(" `"): row[4].strip() for row in rows if len(row) == 6}
    assert list(documented) == [AUTO, *backends()]
    for name, backend in backends().items():
        assert re.split("[;(]", documented[name])[0].strip() == (backend.node_meaning or "–")


def test_nodes_that_compare_have_the_same_words() -> None:
    """Those of dovetail's own backends; a change of this list is a decision."""
    assert {backend.node_meaning for backend in backends().values()} == {
        PLACEMENT_MADE,
        PLACEMENT_TRIED,
        None,
        "an assignment of an option to a variable",
        "a value tried for a variable that has other values",
        "a placement made, on the way to a new state or a known one",
    }


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One warning, and kernels are compiled uncached."""
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", "/proc/nowhere")
    jit.cache_directory.cache_clear()
    with pytest.warns(UserWarning, match="every process compiles them again"):
        assert jit.cache_directory() is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jit.cache_directory() is None
    jit.cache_directory.cache_clear()
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path))
    assert jit.cache_directory() is not None
    jit.cache_directory.cache_clear()
