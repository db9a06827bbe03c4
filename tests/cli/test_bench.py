"""`dovetail bench` and `dovetail compare`: what their arguments name, and their verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.cli.main import run
from dovetail.harness.records.record import Record
from harness.records.made import compared as record
from harness.records.made import repeats
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
    """From any folder; a file of that name goes first. It counts as puzzles do."""
    sudoku = ran("quick", "--only", "sudoku-25-clues")
    assert ("sudoku-25-clues", "dlx", 1) in sudoku
    Path("quick").write_text(TINY)
    assert ran("quick") == ran("queens-5", "-b", "dlx") == [("queens-5", "dlx", 2)]


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
        ("quick -b dlx", "'quick' is a suite and defines its own backends and settings; expe"),
        ("quik", "unknown suite or puzzle 'quik'; "),
        ("", "SUITE|PUZZLE is missing; expected catalogue names"),
    ],
)
def test_mistakes(words: str, message: str) -> None:
    """One line."""
    Path("tiny.toml").write_text(TINY)
    Path("broken.toml").write_text('name = "x"\n[[run]\n')
    done = dovetail("bench", *words.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


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
    assert ran("suite.toml", "--cold") == [("queens-5", "dlx", 2)]


FAULTS = ("nodes", "slower", "unfinished", "removed")


def recorded(path: Path, records: list[Record], rest: str = "") -> str:
    """A file of records."""
    path.write_text("".join(json.dumps(one.json_fields()) + "\n" for one in records) + rest)
    return str(path)


@pytest.fixture
def old(tmp_path: Path) -> str:
    """Three runs of one job and one of another."""
    records = [*repeats("solve_s", [1.0, 1.1, 1.2]), record("b")]
    return recorded(tmp_path / "old.jsonl", records)


NODES = [*repeats("solve_s", [1.0, 1.1, 1.2], nodes=151), record("b")]
REMOVED = repeats("solve_s", [1.0, 1.1, 1.2])


@pytest.mark.parametrize(("fault", "new"), [("nodes", NODES), ("removed", REMOVED)])
def test_what_fails_where_it_is_asked_for(
    fault: str, new: list[Record], old: str, tmp_path: Path
) -> None:
    """And only then."""
    path = recorded(tmp_path / "new.jsonl", new)
    assert run(["compare", old, path]) == 0
    for asked in FAULTS:
        assert run(["compare", old, path, "--fail-on", asked]) == int(asked == fault)
    assert run(["compare", old, path, "--fail-on", "slower", "--fail-on", fault]) == 1
    slower = ["--fail-on", "slower", "--tolerance", "120"]  # percent of the old median
    assert run(["compare", old, path, *slower]) == 0


def test_a_count_that_changed_fails(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every form."""
    path = recorded(tmp_path / "new.jsonl", [record("b", count=5)])
    assert run(["compare", old, path]) == 1
    assert "the count" in capsys.readouterr().out
    assert run(["compare", old, path, "--format", "md"]) == 1
    assert "| queens-6 | dlx | the count | 4 | 5 |" in capsys.readouterr().out
    assert run(["compare", old, path, "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert (fields["failed"], len(fields["findings"]), len(fields["removed"])) == (True, 1, 1)


def test_files_that_have_no_question_in_common(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cannot be compared: one line that names both, and what could be."""
    hostile = [record(str(n), puzzle=f"<script>\n\x1b{n}\0") for n in range(5)]
    path = recorded(tmp_path / "new.jsonl", hostile)
    assert run(["compare", old, path]) == 2
    printed = capsys.readouterr()
    expected = f"has no question in common with {old}; expected some of queens-6, queens-6"
    assert (printed.out, printed.err) == ("", f"dovetail: {path}: {expected}\n")
    assert run(["compare", path, old]) == 2
    printed = capsys.readouterr()
    names = ", ".join(f"<script>��{n}�" for n in range(3))
    assert printed.err.endswith(f"expected some of {names} and 2 more\n")


def test_unusable_files(old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Are exit status 2 and one line that names the file."""
    empty = recorded(tmp_path / "empty.jsonl", [])
    for words in ((old, empty), (empty, old), (old, str(tmp_path)), (old, "missing.jsonl")):
        assert run(["compare", *words]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert printed.err.startswith("dovetail: ")
    for option in (["--fail-on", "rain"], ["--tolerance", "-1"], ["--format", "html"]):
        assert run(["compare", old, old, *option]) == 2
