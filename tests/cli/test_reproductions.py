"""`dovetail reproductions`: what becomes of published rows, from the bench to the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.harness.records.reading import read_records
from dovetail.harness.suite.bundled import bundled_suites, load_suite
from dovetail.harness.suite.reproduction import Verdict, reproduced_rows
from dovetail.harness.suite.suite_file import read_suite

# The published figures are those of the first row's run, save in "differs".
SUITE = """\
name = "rows"
about = "Somebody 1999, table 1"

[[run]]
name = "exact"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
expected = { pentominoes-5x6-FLNPUY = 40 }
published = { fits = 1_731, attempts = 1_731 }

[[run]]
name = "one solution less"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
config.dlx = { stages = ["s"] }
expected = { pentominoes-5x6-FLNPUY = 39 }
published = { fits = 1_731, attempts = 1_731 }

[[run]]
name = "fitted"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
config.dlx = { stages = ["x"] }
published = { fits = 2_400 }
fitted = "the order was chosen to match"

[[run]]
name = "fitted in vain"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
config.dlx = { stages = ["y"] }
published = { fits = 1 }
fitted = "the order was chosen to match"
difference = "the order is not known"

[[run]]
name = "as by bitset"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
labelled = true
published = { fits = 1_731, attempts = 1_731, seconds = 7 }

[[run]]
name = "the bitset"
tags = ["run"]
proxy_for = "as by bitset"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["bitset"]
config.bitset = { break_symmetry = false }

[[run]]
name = "sampled"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
trials = { count = 12, remaining = 3, seed = 1 }
published = { fits = 900, solutions = 3, seconds = 2 }

[[run]]
name = "cut"
tags = ["run"]
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
limits = { nodes = 100 }
published = { fits = 100 }

[[run]]
name = "never run"
puzzles = ["pentominoes-6x10"]
backends = ["dlx"]
published = { fits = 3_615_971 }
difference = "it takes a second"
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite whose runs have been made, in `runs.jsonl` beside it."""
    path = tmp_path_factory.mktemp("suite") / "rows.toml"
    path.write_text(SUITE)
    command = ["bench", str(path), "--only", "run", "-o", str(path.with_name("runs.jsonl"))]
    assert run(command) == 1  # a count is not the expected one
    return path


def test_verdicts(suite: Path) -> None:
    """Each row is what its counts say, and the reason is that of the suite."""
    records = read_records(suite.with_name("runs.jsonl")).records
    rows = {row.name: row for row in reproduced_rows(read_suite(suite), records)}
    assert {name: row.verdict for name, row in rows.items()} == {
        "exact": Verdict.EXACT,
        "one solution less": Verdict.DIFFERS,
        "fitted": Verdict.FITTED,
        "fitted in vain": Verdict.DIFFERS,
        "as by bitset": Verdict.PROXY,
        "sampled": Verdict.SAMPLED,
        "cut": Verdict.UNFINISHED,
        "never run": Verdict.NOT_RUN,
    }
    assert rows["fitted"].reason == "the order was chosen to match"
    assert rows["fitted in vain"].reason == "the order is not known"
    assert rows["exact"].reason == ""
    proxy = rows["as by bitset"]
    assert proxy.run is not None
    assert proxy.run.backend == "bitset"


def test_the_page(suite: Path, tmp_path: Path) -> None:
    """Has every row, its figures, its run and the reason, as Markdown and as HTML."""
    runs = str(suite.with_name("runs.jsonl"))
    for name in ("page.md", "page.html"):
        words = ["reproductions", runs, "--suite", str(suite), "-o", str(tmp_path / name)]
        assert run(words) == 0
    text = (tmp_path / "page.md").read_text()
    assert "| Somebody 1999, table 1 | 8 | 1 | 1 | 1 | 1 | 2 | 1 | 1 |" in text
    table = text[text.index("| row | verdict | ") :]
    lines = {line.split(" | ")[0]: line for line in table.splitlines()[::-1] if " | " in line}
    assert " 1,731 | 1,731 | " in lines["| exact"]
    assert " | dlx" in lines["| exact"]
    assert " 1 | " in lines["| fitted in vain"]
    assert "| never run | not run | it takes a second |" in text
    assert "| as by bitset | exact by proxy | measured by bitset |" in text
    assert "| sampled | sampled | 12 trials |" in text
    assert "Command for one row: dovetail bench rows --only ROW" in text
    assert ">fitted in vain<" in (tmp_path / "page.html").read_text()


def test_without_a_suite_it_is_the_bundled_ones(suite: Path, tmp_path: Path) -> None:
    """All 69 rows of Busche's tables are listed, of which these records have no run."""
    page = tmp_path / "page.md"
    assert run(["reproductions", str(suite.with_name("runs.jsonl")), "-o", str(page)]) == 0
    text = page.read_text()
    rows = sum(
        planned.name is not None and planned.proxy_for is None
        for path in bundled_suites().values()
        for planned in load_suite(path).runs
    )
    assert rows >= 69
    assert text.count(" | not run | ") >= rows


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("page.csv", "expected a suffix of .html, .md"),
        ("runs.jsonl", "is an input of the report; expected another file"),
    ],
)
def test_what_it_cannot_write(
    suite: Path, output: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Is said in one line, and nothing is written."""
    runs = suite.with_name("runs.jsonl")
    before = runs.read_bytes()
    form = ["--suite", str(suite), *(["--format", "md"] if output == runs.name else [])]
    assert run(["reproductions", str(runs), *form, "-o", str(suite.with_name(output))]) == 2
    assert message in capsys.readouterr().err
    assert runs.read_bytes() == before
