"""What the arguments of `dovetail bench` name: a suite, or puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import dovetail
from harness.exhibits.suites import SUITE, written
from harness.suite.bench_here import bench_here

TINY = 'name = "tiny"\n[[run]]\npuzzles = ["queens-5"]\nbackends = ["dlx"]\n'
PUZZLE = 'name = "a row"\nregion = ". . ."\n[[piece]]\nname = "I"\nshape = "I I I"\n'


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run jobs here, in an empty folder: these tests are about words."""
    bench_here(monkeypatch)
    monkeypatch.chdir(tmp_path)


def ran(*words: str) -> list[tuple[str, str, int]]:
    """Puzzle, backend and count of each result of a bench."""
    done = dovetail("bench", *words, "--json")
    written = f"wrote {words[words.index('-o') + 1]}\n" if "-o" in words else ""
    assert (done.returncode, done.stderr) == (0, written)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return [(one["puzzle"], one["backend"], one["count"]) for one in results]


def test_a_suite_by_its_name() -> None:
    """From any folder; a file of that name goes first."""
    sudoku = ran("quick", "--only", "sudoku-25-clues")
    assert ("sudoku-25-clues", "dlx", 1) in sudoku
    Path("quick").write_text(TINY)
    assert ran("quick") == [("queens-5", "dlx", 10)]


def test_puzzles_by_backends() -> None:
    """Catalogue names and files, `-b` with commas or repeated, or with none at all."""
    assert ran("queens-5", "queens-6", "-b", "dlx,bitset", "--symmetry", "all") == [
        ("queens-5", "dlx", 10),
        ("queens-5", "bitset", 10),
        ("queens-6", "dlx", 4),
        ("queens-6", "bitset", 4),
    ]
    Path("row.toml").write_text(PUZZLE)
    assert ran("row.toml", "-b", "dlx", "-b", "fila") == [("a row", "dlx", 1), ("a row", "fila", 1)]
    assert {"dlx", "bitset", "fila"} <= {backend for _, backend, _ in ran("row.toml")}


def test_records_and_repeats() -> None:
    """The same as of a suite: what the file of records holds is not run again."""
    words = ("queens-5", "-b", "dlx", "-o", "runs.jsonl")
    ran(*words)
    ran(*words, "--repeats", "3")
    records = [json.loads(line) for line in Path("runs.jsonl").read_text().splitlines()]
    assert [(one["suite"], one["repeat"]) for one in records] == [("queens-5", n) for n in range(3)]
    assert len({one["job"] for one in records}) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "quick -b dlx",
            "'quick' is a suite and defines its own backends and settings; expe",
        ),
        ("quick --symmetry unique --repeats 1", "expected no --symmetry or --repeats"),
        ("tiny.toml --time-limit 5", "expected no --time-limit"),
        ("quick queens-6", "'quick' is a suite; expected one suite or only puzzles"),
        ("queens-6 tiny.toml", "'tiny.toml' is a suite; expected one suite or only puzzles"),
        ("quik", "unknown suite or puzzle 'quik'; "),
        ("queens-six -b dlx", "unknown suite or puzzle 'queens-six'; "),
        ("no/such", "there is no file 'no/such'"),
        ("queens-6 -b dxl", "unknown backend 'dxl'; "),
        ("queens-6 -b dlx -c speed=9", "backend dlx has no config key 'speed'"),
        ("no-runs.toml", "no-runs.toml:1: run is missing"),
        ("broken.toml", "broken.toml:2: not TOML"),
        ("", "Missing argument 'SUITE|PUZZLE'"),
    ],
)
def test_mistakes(words: str, message: str) -> None:
    """One line."""
    Path("tiny.toml").write_text(TINY)
    Path("no-runs.toml").write_text('name = "x"\nlimits = { time_s = 5 }\n')
    Path("broken.toml").write_text('name = "x"\n[[run]\n')
    done = dovetail("bench", *words.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_suite_with_exhibits_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """`bench` prints the command of the report, which knows the name too."""
    bundled = {"small": written(Path.cwd(), SUITE.replace("{1..3}", "1"))}
    monkeypatch.setattr("dovetail.harness.suite.suite_file.bundled_suites", lambda: bundled)
    done = dovetail("bench", "small", "--only", "quick", "-o", "runs.jsonl")
    assert "dovetail report runs.jsonl --suite small -o REPORT.html" in done.stdout
    words = ("report", "runs.jsonl", "-o", "report.md", "--suite")
    assert dovetail(*words, "small").returncode == 0
    assert "every approach" in Path("report.md").read_text()
    assert "unknown suite 'smal'; " in dovetail(*words, "smal").stderr


def test_solvers_that_broke_the_symmetry_beside_others() -> None:
    """Their times do not compare, and a line says so; with a reduction for all they do."""
    words = ("bench", "pentominoes-5x6-FLNPUY", "-b", "dlx,bitset")
    assert "bitset broke the symmetry automatically and dlx did not" in dovetail(*words).stdout
    alike = dovetail(*words, "--reduce", "redundancy").stdout
    assert "automatically" not in alike


def test_cold_starts() -> None:
    """Records have them, a file with warm runs is no reason to leave them out, workers are one."""
    words = ("queens-5", "-b", "dlx", "-o", "runs.jsonl")
    ran(*words)
    ran(*words, "--cold", "--parallel", "2")
    records = [json.loads(line) for line in Path("runs.jsonl").read_text().splitlines()]
    assert [one["cold_start"] for one in records] == [False, True]
    refused = dovetail("bench", *words, "--cold", "--jobs", "2")
    assert refused.returncode == 2
    assert "cold starts cannot use workers or a checkpoint" in refused.stderr
    Path("suite.toml").write_text(TINY)
    assert ran("suite.toml", "--cold") == [("queens-5", "dlx", 10)]


def test_a_bench_whose_runs_are_all_refused() -> None:
    """Nothing was compared: exit status 2."""
    done = dovetail("bench", "queens-5", "-b", "fila")
    assert (done.returncode, "every run was refused" in done.stderr) == (2, True)
