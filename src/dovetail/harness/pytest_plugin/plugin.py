"""The pytest plugin: the fixture `solution_count` and the option `--update-counts`.

pytest imports this module in every session of an environment with dovetail. Large modules are
therefore imported only when a test uses the fixture or the option is given.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dovetail.harness.pytest_plugin.golden import GoldenFile
    from dovetail.harness.pytest_plugin.solution_count import SolutionCount

FILE_NAME = "solution_counts"
UPDATE, UPDATING = "--update-counts", "dovetail-updating"
NO_CI = ("", "0", "false", "no")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that records counts, and the setting for the name of golden files."""
    parser.getgroup("dovetail", "solution counts").addoption(
        UPDATE,
        action="store_true",
        help="record the counts of solution_count and show the changes to the golden files",
    )
    parser.addini(
        FILE_NAME,
        "name of the golden files of solution_count, in the folders of the tests",
        default="solution-counts.toml",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Raise `UsageError` for an invalid file name and for an update in continuous integration.

    Registers the hooks that record counts if `--update-counts` is given.
    """
    name = str(config.getini(FILE_NAME))
    if name in ("", ".", "..") or Path(name).name != name:
        expected = "expected a file name without a folder"
        raise pytest.UsageError(f"{FILE_NAME} is {name!a}; {expected}")
    if not config.getoption(UPDATE):
        return
    if os.environ.get("CI", "").lower() not in NO_CI:
        raise pytest.UsageError(
            f"{UPDATE} is not allowed if the environment variable CI is set, because a person "
            f"should check the new counts; run it locally, or unset CI (CI= pytest {UPDATE})"
        )
    from dovetail.harness.pytest_plugin.golden import Updating

    config.pluginmanager.register(Updating(config, name), UPDATING)


@pytest.fixture(scope="session")
def _golden_files() -> dict[Path, GoldenFile]:
    """Return the cache of golden files."""
    return {}


@pytest.fixture
def solution_count(
    request: pytest.FixtureRequest, _golden_files: dict[Path, GoldenFile]
) -> SolutionCount:
    """Count a puzzle's solutions and compare count and nodes with `solution-counts.toml`.

    The arguments and the result are as for `dovetail.count`, without workers, checkpoint, option
    order and disassembly: solution_count("pentominoes-6x10", "dlx", reduce=["redundancy"]). The
    file of a puzzle may be in the folder of the test. With nodes=False the nodes are not compared;
    with benchmark=benchmark pytest-benchmark times the search. `pytest --update-counts` records
    the results.
    """
    from dovetail.harness.pytest_plugin.solution_count import SolutionCount

    updating = request.config.pluginmanager.get_plugin(UPDATING)
    counted = None if updating is None else updating.counted_by(request.node)
    golden = request.path.with_name(str(request.config.getini(FILE_NAME)))
    return SolutionCount(golden, _golden_files, request.config.rootpath, counted)
