"""The registry, the pages of solvers and improvers, and values of their settings."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from backends.documented import FORMULATIONS_PAGE, pages, with_options
from dovetail import jit
from dovetail.backends import threaded
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import ConfigError
from dovetail.extras import install_command
from dovetail.harness.planning import AUTO
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.improvers.registry import improver_named
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load

SOLVERS = Path(__file__).parents[2] / "docs" / "solvers" / "index.md"


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend is refused, and the line to install it is given."""
    monkeypatch.setattr(threaded, "find_spec", lambda _: None)
    for name in ("cpsat", "constraint", "choco", "clingo", "sat", "xcover"):
        finished = finish(execute(Job(load("queens-6"), backend=name)))
        assert finished.status == Status.SKIPPED
        assert finished.reason is not None
        assert finished.reason.endswith(install_command(name))
    assert not_installed(backend_named("dlx")) is None


def test_the_table_of_backends_says_what_a_node_is() -> None:
    """That of docs/solvers has the words of each backend, a dash for one that counts none."""
    rows = [line.split("|") for line in SOLVERS.read_text().splitlines() if line.startswith("| `")]
    documented = {row[1].strip(" `"): row[4].strip() for row in rows if len(row) == 6}
    assert list(documented) == [AUTO, *backends()]
    for name, backend in backends().items():
        assert re.split("[;(]", documented[name])[0].strip() == (backend.node_meaning or "–")


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


SECTIONS = ["Idea", "When it wins, when it loses", "Options", "Counters"]


def test_every_solver_has_a_page_with_its_options() -> None:
    """Else: python tests/backends/documented.py."""
    for path, options in pages().items():
        page = path.read_text()
        assert page == with_options(page, options), path.name


def test_every_page_answers_the_same_questions() -> None:
    """In the same order; what follows differs."""
    for path in pages().keys() - {FORMULATIONS_PAGE}:
        headings = [line[3:] for line in path.read_text().splitlines() if line.startswith("## ")]
        assert [one for one in headings if one in SECTIONS] == SECTIONS, path.name
        assert {"Source", "Sources"} & set(headings), path.name


@pytest.mark.parametrize(
    ("solver", "values", "message"),
    [
        ("rows", {"identical_tiles": "never"}, "identical_tiles is 'never'; valid: once, each"),
        (
            "domains",
            {"choice": "per_edge"},
            "choice is 'per_edge'; did you mean 'per-edge'? valid: per-edge, fewest",
        ),
        ("dlx", {"stages": ["s"]}, "stages is ['s']; expected a list of strings"),
    ],
)
def test_a_value_that_a_setting_does_not_take(
    solver: str, values: dict[str, Any], message: str
) -> None:
    """A config refuses it, however it is made."""
    named = improver_named if solver in ("beam", "repair") else backend_named
    with pytest.raises(ConfigError) as raised:
        named(solver).config_type(**values)
    assert str(raised.value).startswith(message)
