"""Projects of a few tests in which pytest runs with the plugin, and the plugin's function alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.jit import cache_directory

QUEENS_5 = '"queens-5 dlx all" = { count = 10, nodes = 51, digest = "6252d7290da5c3c2" }'
QUEENS_6 = '"queens-6 dlx all" = { count = 4, nodes = 110, digest = "971c70c762857c53" }'
TESTS = """
import pytest

@pytest.mark.parametrize("n", [5, 6])
def test_queens(solution_count, n):
    assert solution_count(f"queens-{n}", "dlx", symmetry="all").count in (4, 10)
"""


@dataclass(frozen=True)
class Project:
    """A folder with tests and their golden file."""

    pytester: pytest.Pytester

    @property
    def golden(self) -> Path:
        return self.pytester.path / "solution-counts.toml"

    def write(self, source: str, name: str = "test_counts") -> None:
        """A test file."""
        self.pytester.makepyfile(**{name: source})

    def record(self, *lines: str) -> None:
        """The golden file."""
        self.golden.write_text("\n".join(lines) + "\n")

    def run(self, *arguments: str, no_reraise_ctrlc: bool = False) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*arguments, no_reraise_ctrlc=no_reraise_ctrlc)

    def run_workers(self, number: int, *arguments: str) -> pytest.RunResult:
        """Run pytest with so many workers of pytest-xdist, and few other plugins."""
        without = [
            word for name in ("hypothesispytest", "benchmark") for word in ("-p", f"no:{name}")
        ]
        return self.pytester.runpytest_subprocess(*without, "-n", str(number), *arguments)

    def summary(self, result: pytest.RunResult) -> list[str]:
        """What a run tells of solution counts, without the last line."""
        begun = next(n for n, line in enumerate(result.outlines) if " solution counts " in line)
        lines = list(filter(None, result.outlines[begun + 1 : -1]))
        ends = (n for n, line in enumerate(lines) if line.startswith("="))
        return lines[: next(ends, len(lines))]


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty one; its processes find the kernels that are compiled."""
    directory = cache_directory()
    if directory is not None:
        monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(directory.parent))
    for name in ("CI", "PYTEST_XDIST_WORKER"):  # not that of the tests around it
        monkeypatch.delenv(name, raising=False)
    return Project(pytester)


@pytest.fixture
def counting(tmp_path: Path) -> Callable[..., SolutionCount]:
    """The function for tests whose golden file has some lines."""

    def with_golden(*lines: str) -> SolutionCount:
        golden = tmp_path / "solution-counts.toml"
        golden.write_text("\n".join(lines) + "\n")
        return SolutionCount(golden, {}, tmp_path, None)

    return with_golden
