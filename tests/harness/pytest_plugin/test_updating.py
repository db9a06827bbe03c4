"""`--update-counts` in whole projects: what is written, reported, kept and refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dovetail.backends.bitset.backend import Bitset
from harness.pytest_plugin.conftest import QUEENS_5, QUEENS_6, TESTS, Project

pytest_plugins = ["pytester"]

OPENING = "# Expected solution counts and nodes; `pytest --update-counts` updates them."
SAME = "solution-counts.toml is unchanged: all counts agree with it"
STALE = QUEENS_5.replace("queens-5", "queens-4")
WRONG_6 = QUEENS_6.replace("110", "111")


def unused(fate: str) -> str:
    """The line that reports that no test asked for an entry."""
    return f"solution-counts.toml: 1 entry that no passing test used: {fate}"


STAYS = unused("kept, because not all tests in its folder ran and passed")


def test_new_entries(project: Project) -> None:
    """Fail at first, are recorded with a diff, and pass from then on; changes keep comments."""
    project.write(TESTS)
    project.run().assert_outcomes(failed=2)
    assert not project.golden.exists()
    result = project.run("--update-counts")
    result.assert_outcomes(passed=2)
    written = [OPENING, "", QUEENS_5, QUEENS_6]
    assert project.golden.read_text().splitlines() == written
    assert project.summary(result) == [
        "--- solution-counts.toml",
        "+++ solution-counts.toml",
        "@@ -0,0 +1,4 @@",
        *(f"+{line}" for line in written),
        "wrote solution-counts.toml",
    ]
    project.run().assert_outcomes(passed=2)
    project.record("# of squares", QUEENS_5, f"{WRONG_6}  # OEIS A000170")
    result = project.run("--update-counts")
    changes = [f"-{WRONG_6}  # OEIS A000170", f"+{QUEENS_6}  # OEIS A000170"]
    assert project.summary(result)[3:-1] == [" # of squares", f" {QUEENS_5}", *changes]


def test_entries_that_no_test_asks_for_go(project: Project) -> None:
    """When all tests beside the file have run and passed."""
    project.write(TESTS)
    project.record(QUEENS_5, STALE, QUEENS_6)
    result = project.run("--update-counts")
    assert project.summary(result)[-1] == unused("now removed")
    assert STALE not in project.golden.read_text()


@pytest.mark.parametrize("arguments", [["-k", "queens"], ["test_counts.py::test_queens"], ["-x"]])
def test_they_stay_when_not_all_tests_have_run(project: Project, arguments: list[str]) -> None:
    """Another test may well ask for them."""
    project.write(TESTS)
    other = "raise ValueError" if "-x" in arguments else "pass"
    project.write(f"def test_other():\n    {other}\n", "test_other")
    project.record(QUEENS_5, STALE, WRONG_6)
    result = project.run("--update-counts", *arguments)
    assert project.summary(result)[-1] == STAYS
    lines = project.golden.read_text().splitlines()
    assert lines == [STALE, QUEENS_5, QUEENS_6]


@pytest.mark.parametrize("ending", ["assert 0", "raise KeyboardInterrupt"])
def test_what_a_test_counts_that_does_not_pass(project: Project, ending: str) -> None:
    """Is not recorded; what others count is, and nothing goes."""
    project.write(TESTS + f"    if n == 6: {ending}\n")
    project.record(QUEENS_5.replace("51", "52"), STALE, WRONG_6)
    result = project.run("--update-counts", no_reraise_ctrlc=True)
    assert project.golden.read_text().splitlines() == [STALE, QUEENS_5, WRONG_6]
    message = "ignored the counts of 1 test that did not pass"
    assert (message in project.summary(result)) == (ending != "raise KeyboardInterrupt")


def test_nodes_that_one_test_lets_be(project: Project) -> None:
    """Those of another are recorded, and stay while nothing else changes."""
    asked = 'solution_count("queens-6", "dlx", symmetry="all", nodes=False)'
    project.write(f"def test_a(solution_count):\n    {asked}\n{TESTS}")
    project.run("--update-counts").assert_outcomes(passed=3)
    assert project.golden.read_text().splitlines()[2:] == [QUEENS_5, QUEENS_6]
    assert SAME in project.summary(project.run("--update-counts", "-k", "test_a"))
    project.record(QUEENS_6.replace("= 4", "= 5"))
    project.run("--update-counts", "-k", "test_a")
    line = QUEENS_6.replace("nodes = 110, ", "")
    assert project.golden.read_text().splitlines() == [line]


def test_a_part_of_the_tests_in_another_process(project: Project) -> None:
    """The one that writes has not collected any: workers report that some are left out."""
    project.write(
        """
from pathlib import Path
from dovetail.harness.pytest_plugin.golden import Counted, Figures
from dovetail.harness.pytest_plugin.plugin import UPDATING

def test_6(request):  # as if it were counted, which takes seconds in another process
    figures = Figures(4, 110, "971c70c762857c53")
    golden = request.path.with_name("solution-counts.toml")
    updating = request.config.pluginmanager.get_plugin(UPDATING)
    updating.counted_by(request.node).append(Counted(golden, "queens-6 dlx all", figures))

def test_4():
    pass
"""
    )
    project.record(WRONG_6, STALE)
    result = project.run_workers(1, "--update-counts", "-k", "6")
    assert project.summary(result)[-1] == STAYS
    assert project.golden.read_text().splitlines() == [STALE, QUEENS_6]


def test_a_broken_file(project: Project) -> None:
    """Is reported with its line, and stays."""
    project.write(TESTS)
    project.record(QUEENS_5, "oops")
    result = project.run("--update-counts")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["E  *solution-counts.toml:2: not TOML: *"])
    assert project.golden.read_text() == f"{QUEENS_5}\noops\n"
    assert project.summary(result) == ["no counts found; no file changed"]


def test_no_update_in_ci(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """CI runs the tests and changes nothing."""
    project.write(TESTS)
    monkeypatch.setenv("CI", "true")
    result = project.run("--update-counts")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --update-counts is not allowed if *"])
    assert not project.golden.exists()
    monkeypatch.setenv("CI", "")
    project.run("--update-counts").assert_outcomes(passed=2)


EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "counts"


@pytest.fixture
def example(project: Project) -> Project:
    """A copy of it."""
    Bitset().warm_up()
    for path in EXAMPLE.iterdir():
        if path.is_file():
            shutil.copy(path, project.pytester.path)
    return project


def test_the_example(example: Project) -> None:
    """Its counts are those recorded, and recording them anew changes nothing."""
    example.run().assert_outcomes(passed=5)
    before = example.golden.read_bytes()
    result = example.run("--update-counts", "--benchmark-disable")
    message = "solution-counts.toml is unchanged: all counts agree with it"
    assert example.summary(result) == [message]
    assert example.golden.read_bytes() == before


def test_a_changed_puzzle_is_reported(example: Project) -> None:
    """As the guide shows it."""
    puzzle = example.pytester.path / "courtyard.toml"
    puzzle.write_text(puzzle.read_text().replace("count = [0, 1]", "count = 1"))
    result = example.run("-k", "every")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        [
            'the puzzle has changed: "courtyard dlx all"',
            "  count                     24                  24  same",
            "  nodes                    239                 239  same",
            "  puzzle      09eab6c45d2469cf    e382f484bcec59b9  CHANGED",
        ]
    )


def test_entries_stay_when_the_only_worker_crashes(project: Project) -> None:
    """It has not sent its tests, so that an entry may belong to a lost test."""
    project.write(TESTS.replace("    assert", "    if n == 6: import os; os._exit(1)\n    assert"))
    project.record(QUEENS_5.replace("51", "52"), QUEENS_6)
    project.run_workers(1, "--update-counts", "--max-worker-restart=0")
    assert project.golden.read_text().splitlines() == [QUEENS_5, QUEENS_6]
