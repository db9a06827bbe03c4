"""`dovetail reproductions`: what becomes of published rows, from the bench to the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.errors import FormatError
from dovetail.harness.records.record_files import read_records
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.reproduction import Verdict, reproduced_rows
from dovetail.harness.suite.suite_file import read_suite
from harness.suite.bench_here import bench_here

ROOT = Path(__file__).parents[2]


SMALL, LARGE = "pentominoes-5x6-FLNPUY", "pentominoes-6x10"
ALL_FITS = "published = { fits = 1_731, attempts = 1_731 }\n"
TO_MATCH = 'fitted = "the order was chosen to match"\n'
LABELLED, BITSET = "labelled = true\n", "config.bitset = { break_symmetry = false }\n"
PARITY = 'triggers = ["parity"]\n'


def stages(stage: str) -> str:
    """Return a setting of dlx."""
    return f'config.dlx = {{ stages = ["{stage}"] }}\n'


# Of each row the puzzle, the backend, whether a bench runs it, and the other keys.
ROWS = {
    "exact": (SMALL, "dlx", True, f"{ALL_FITS}expected = {{ {SMALL} = 40 }}\n"),
    "one solution less": (
        *(SMALL, "dlx", True),
        f"{ALL_FITS}{stages('s')}expected = {{ {SMALL} = 39 }}\n",
    ),
    "fitted": (SMALL, "dlx", True, f"{stages('x')}published = {{ fits = 2_400 }}\n{TO_MATCH}"),
    "fitted in vain": (
        *(SMALL, "dlx", True),
        f"{stages('y')}published = {{ fits = 1 }}\n{TO_MATCH}"
        'difference = "the order is not known"\n',
    ),
    "as by bitset": (SMALL, "dlx", False, LABELLED + ALL_FITS.replace(" }", ", seconds = 7 }")),
    "the bitset": (SMALL, "bitset", True, f'proxy_for = "as by bitset"\n{BITSET}'),
    "fitted by proxy": (
        *(SMALL, "dlx", False),
        f"{LABELLED}{stages('s')}published = {{ fits = 1_731 }}\n",
    ),
    "the fitted bitset": (
        *(SMALL, "bitset", True),
        f'proxy_for = "fitted by proxy"\n{LABELLED}{BITSET}'
        'fitted = "the solver was chosen to match"\n',
    ),
    "sampled": (
        *(SMALL, "dlx", True),
        "trials = { count = 12, remaining = 3, seed = 1 }\n"
        "published = { fits = 900, solutions = 3, seconds = 2 }\n",
    ),
    "cut": (SMALL, "dlx", True, "limits = { nodes = 100 }\npublished = { fits = 100 }\n"),
    "no counts": (SMALL, "dlx", True, f"{stages('X')}published = {{ seconds = 3 }}\n"),
    "cut rarely": (
        *(LARGE, "dlx", True),
        f"{PARITY}trials = {{ count = 40, remaining = 9 }}\n"
        "published = { trials = 1000, trials_with_trigger = 1 }\n",
    ),
    "cut as often": (
        *(LARGE, "dlx", True),
        f"{PARITY}trials = {{ count = 41, remaining = 9 }}\n"
        "published = { trials = 40, trials_with_trigger = 8 }\n",
    ),
    "never run": (
        *(LARGE, "dlx", False),
        "published = { fits = 3_615_971, seconds = 8, rate = 77.7 }\n"
        'difference = "a reason that is for other verdicts"\n',
    ),
}
SUITE = 'name = "rows"\nabout = "Somebody 1999, table 1"\n' + "".join(
    f'[[run]]\nname = "{name}"\npuzzles = ["{puzzle}"]\nbackends = ["{backend}"]\n'
    'symmetry = "all"\n' + ('tags = ["run"]\n' if runs else "") + rest
    for name, (puzzle, backend, runs, rest) in ROWS.items()
)


ESTIMATE = (ROOT / "docs/reproductions/estimates.jsonl").read_text().splitlines()[0]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite whose runs have been made, in `runs.jsonl` beside it."""
    path = tmp_path_factory.mktemp("suite") / "rows.toml"
    path.write_text(SUITE)
    command = ["bench", str(path), "--only", "run", "-o", str(path.with_name("runs.jsonl"))]
    with pytest.MonkeyPatch.context() as patch:
        bench_here(patch)
        assert run(command) == 1  # a count is not the expected one
    return path


def test_verdicts(suite: Path) -> None:
    """Each row is what its counts say, and the reason is that of the suite."""
    plan = read_suite(suite)
    results = plan_results(plan, read_records(suite.with_name("runs.jsonl")).records)
    rows = {row.name: row for row in reproduced_rows(plan, results)}
    assert {name: row.verdict for name, row in rows.items()} == {
        "exact": Verdict.EXACT,
        "one solution less": Verdict.DIFFERS,
        "fitted": Verdict.FITTED,
        "fitted in vain": Verdict.DIFFERS,
        "as by bitset": Verdict.PROXY,
        "fitted by proxy": Verdict.FITTED,
        "sampled": Verdict.SAMPLED,
        "cut": Verdict.UNFINISHED,
        "no counts": Verdict.DIFFERS,
        "cut rarely": Verdict.DIFFERS,
        "cut as often": Verdict.SAMPLED,
        "never run": Verdict.NOT_RUN,
    }
    assert rows["fitted"].reason == "the order was chosen to match"
    assert rows["fitted in vain"].reason == "the order is not known"
    assert rows["fitted by proxy"].reason == "the solver was chosen to match"
    assert rows["exact"].reason == ""
    proxy = rows["as by bitset"]
    assert proxy.run is not None
    assert proxy.run.job.backend == "bitset"


def test_the_page(suite: Path, tmp_path: Path) -> None:
    """Has every row, its figures, its run and the reason, as Markdown and as HTML."""
    runs = str(suite.with_name("runs.jsonl"))
    for name in ("page.md", "page.html"):
        words = ["reproductions", runs, "--suite", str(suite), "-o", str(tmp_path / name)]
        assert run(words) == 0
    text = (tmp_path / "page.md").read_text()
    assert "| Somebody 1999, table 1 | 12 | 1 | 1 | 2 | 2 | 4 | 1 | 1 |" in text
    begin = text.index("| row | verdict | ")
    header, _, *lines = text[begin : text.index("\n\n", begin)].splitlines()
    columns = [cell.strip() for cell in header.strip("|").split("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    table = {row[0]: dict(zip(columns, row, strict=True)) for row in cells}
    assert table["exact"]["published fits"] == table["exact"]["fits"] == "1,731"
    unrun = table["never run"]
    assert (unrun["published fits"], unrun["published time"]) == ("3,615,971", "8 s")
    assert (unrun["published per s"], unrun["fits"], unrun["date"]) == ("77.7", "–", "–")
    assert "a reason that is for other verdicts" not in text
    assert "| fitted in vain | differs | the order is not known (fits +" in text
    assert "| as by bitset | exact by proxy | Measured by bitset. |" in text
    assert ">fitted in vain<" in (tmp_path / "page.html").read_text()


def test_estimated_fits(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stand beside the row whose search was estimated; of two of the same search, the last."""
    estimates, page = tmp_path / "estimates.jsonl", tmp_path / "page.md"
    search = ["estimate", "pentominoes-5x6-FLNPUY", "-b", "dlx", "--symmetry", "all"]
    search += ["--json", "--time-limit", "1m"]
    lines = []
    for more in (["--descents", "40"], ["-c", "stages=x"], []):
        capsys.readouterr()
        assert run([*search, *more]) == 0
        lines.append(capsys.readouterr().out)
    estimates.write_text("\n".join(lines))
    words = ["reproductions", str(suite.with_name("runs.jsonl")), "--suite", str(suite)]
    assert run([*words, "--estimates", str(estimates), "-o", str(page)]) == 0
    rows = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    header = next(line.split(" | ") for line in rows if line.startswith("| row | verdict | s"))
    column = header.index("estimated fits")
    values = {line.split(" | ")[0][2:]: line.split(" | ")[column] for line in rows if "–" in line}
    assert values["exact"] == "1,731"  # the tree is so small that all of it is visited
    assert values["fitted"] not in ("–", "1,731")
    assert values["never run"] == "–"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n{}\n", "estimates.jsonl:2: not a line of dovetail estimate --json: job is "),
        (re.sub('"mean": [0-9.]+', '"mean": 1e400', ESTIMATE, count=1), "expected a finite number"),
    ],
)
def test_a_wrong_estimate_is_refused_with_its_line(
    suite: Path, tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "estimates.jsonl").write_text(text)
    words = ["--suite", str(suite), "--estimates", str(tmp_path / "estimates.jsonl")]
    check_refusal(capsys, suite, [*words, "-o", str(tmp_path / "page.md")], message)


def check_refusal(
    capsys: pytest.CaptureFixture[str], suite: Path, words: list[str], message: str
) -> None:
    """Check that words are refused and that neither the records change nor a page is written."""
    runs = suite.with_name("runs.jsonl")
    before = runs.read_bytes()
    assert run(["reproductions", str(runs), *words]) == 2
    assert message in capsys.readouterr().err
    assert runs.read_bytes() == before
    assert not Path(words[-1]).exists() or words[-1] == str(runs)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('proxy_for = "as by bitset"', 'proxy_for = "exakt"', "did you mean 'exact'"),
        (
            'proxy_for = "as by bitset"',
            'proxy_for = "as by bitset"\npublished = { fits = 7 }',
            "a proxy has the published figures of row 'as by bitset'",
        ),
    ],
)
def test_proxies_that_prove_nothing(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The line of the suite, and why."""
    path = tmp_path / "rows.toml"
    path.write_text(SUITE.replace(old, new, 1))
    with pytest.raises(FormatError, match=re.escape(message)):
        read_suite(path)
