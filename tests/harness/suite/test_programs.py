"""Programs that a suite defines: run like backends, named in results, and refused for a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backends.command.definitions import PYTHON, REFERENCE
from cli.command import dovetail
from dovetail.backends.command.config import COMMAND, CommandConfig
from dovetail.backends.command.search import VARIABLE
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.harness.planning.named import named_config
from dovetail.harness.suite.suite_file import read_suite
from dovetail.printable import is_printable
from harness.suite.bench_here import bench_here

SUITE = f"""\
name = "programs"

[[backend]]
name = "reference"
command = ["./reference", "{{dlx}}"]
solutions = "json"
unsupported = ["bounds"]

[[backend]]
name = "counting"
command = [{json.dumps(PYTHON)}, {json.dumps(REFERENCE)}, "-n", "{{dlx}}"]
count = "([0-9]+) solutions"
figures = {{ kept = '"nodes": ([0-9]+)' }}

[[run]]
puzzles = ["queens-6", "langford-4"]
backends = ["dlx", "reference", "counting"]
symmetry = "all"
expected = {{ queens-6 = 4 }}
"""


JSON = 'solutions = "json"'


@pytest.fixture(autouse=True)
def _not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test permits ends with it."""
    monkeypatch.setenv(VARIABLE, "")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The suite beside its program."""
    program = tmp_path / "reference"
    program.write_text(f"#!{PYTHON}\n" + Path(REFERENCE).read_text())
    program.chmod(0o755)
    path = tmp_path / "programs.toml"
    path.write_text(SUITE)
    return path


def test_runs(suite: Path, tmp_path: Path) -> None:
    """Records have the names of the programs, and say which they were; reports run nothing."""
    records = tmp_path / "runs.jsonl"
    done = dovetail("bench", suite, "--allow-commands", "-o", records)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    assert [line["backend"] for line in lines] == ["dlx", "reference", "counting"] * 2
    assert [line["count"] for line in lines] == [4, 4, 4, 2, 2, 2]
    assert [line["verified"] for line in lines[:3]] == [4, 4, 0]
    assert (lines[1]["native"], lines[2]["native"]) == ({"nodes": 110}, {"kept": 110})
    assert set(lines[1]["program"]) == {"sha256"}
    (tmp_path / "reference").unlink()
    page = tmp_path / "page.html"
    assert dovetail("report", records, "-o", page).returncode == 0
    assert "110 nodes of its own" in page.read_text()
    assert dovetail("bench", suite, "--allow-commands", "-o", records).returncode == 0
    assert len(records.read_text().splitlines()) == len(lines)


def test_without_permission(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other backends run; those of programs are refused with the reason."""
    bench_here(monkeypatch)
    done = dovetail("bench", suite, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["status"] for line in lines] == ["exhausted", "skipped", "skipped"] * 2
    assert all("(--allow-commands)" in line["reason"] for line in lines if line["reason"])
    assert "refused 4 runs; to run programs, pass --allow-commands" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "counting"', 'name = "dlx"', "programs.toml:10: the name 'dlx' is already used"),
        ("{dlx}", "{dlz}", "unknown placeholder 'dlz'"),
        ('"json"', '"jason"', "'jason'; did you mean 'json'? valid: none, json, printed"),
        (JSON, 'formulation = "edges"', "has no file with formulation edges; expected"),
        ("([0-9]+) solutions", "solutions", "expected a group"),
    ],
)
def test_mistakes(suite: Path, old: str, new: str, message: str) -> None:
    """The line is named, and what is valid."""
    suite.write_text(SUITE.replace(old, new))
    with pytest.raises(FormatError) as caught:
        read_suite(suite)
    assert message in str(caught.value)


def test_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings define a program as well as a suite does."""
    words = ["-b", "command", "-c", f"command={PYTHON},{REFERENCE},-n,{{dlx}}", "-c", "name=mine"]
    done = dovetail("count", "queens-6", "--symmetry", "all", *words, "--allow-commands")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("queens-6: 4 solutions in all\n  mine, ")
    monkeypatch.setenv(VARIABLE, "")
    done = dovetail("count", "queens-6", "--symmetry", "all", *words)
    assert done.returncode == 2
    assert "mine refuses: it runs a program" in done.stdout


PATH = Path("mine.toml")
VALID: dict[str, object] = {
    "name": "mine",
    "command": ["./mine", "{dlx}"],
    "solutions": "json",
    "count": "([0-9]+) found",
    "figures": {"nodes": "nodes ([0-9]+)"},
    "version": ["./mine", "--version"],
    "unsupported": ["bounds"],
    "probable": True,
    "exit_statuses": [0, 10],
}
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=8),
    st.sampled_from(
        [
            *("", " ", "mine", "dlx", "a,b", "=", "a=b", "a=(b)", "\x1b[2J", "\u2028", "x" * 1000),
            *("{dlx}", "{dlz}", "{python}", "{", "{}", "{{dlx}}", "~", "/", "../mine", "none"),
            *("(", "()", "(?P<n>x)", "(a{99999999999})", "(?" * 9, "(" * 5000, "[", "\\", "bounds"),
        ]
    ),
)
SCALARS = st.one_of(
    TEXTS,
    st.booleans(),
    st.sampled_from([-1, 0, 10, 255, 256, 10**30, 0.5]),
)
VALUES = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(TEXTS, SCALARS, max_size=2)
)
CHANGES = st.dictionaries(st.sampled_from([*VALID, "colour"]), VALUES, max_size=3)


def written(value: object) -> str:
    """A value of TOML."""
    if isinstance(value, dict):
        members = (f"{written(key)} = {written(one)}" for key, one in value.items())
        return f"{{ {', '.join(members)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@example({"count": "(a{99999999999})"}, set())
@example({"figures": {"deep": "(" * 5000}}, set())
@example({"figures": {"\x1b[2J": "(a)"}}, set())
@given(CHANGES, st.sets(st.sampled_from([*VALID]), max_size=2))
@settings(max_examples=50)
def test_definitions_are_refused_or_work(changes: dict[str, object], left_out: set[str]) -> None:
    """What is read makes the same settings again, and its patterns have what is looked for."""
    values = {key: value for key, value in {**VALID, **changes}.items() if key not in left_out}
    lines = "".join(f"{key} = {written(value)}\n" for key, value in values.items())
    name = written(values.get("name", "mine"))
    run = f'[[run]]\npuzzles = ["queens-4"]\nbackends = [{name}]\n'
    text = f'name = "random"\n[[backend]]\n{lines}{run}'
    plan, complaint = None, "mine.toml:1"
    try:
        plan = read_suite(TextFile(PATH, text.encode()))
    except FormatError as error:
        complaint = str(error)
    assert re.match(r"mine\.toml:[0-9]+", complaint)
    assert is_printable(complaint)
    if plan is None:
        return
    (planned,) = plan.runs
    if planned.job.backend == COMMAND:
        config = named_config(COMMAND, planned.job.config)
        assert isinstance(config, CommandConfig)
        assert config.name == values["name"]
        for figure in config.figures:
            name, _, pattern = figure.partition("=")
            assert is_printable(name)
            assert re.compile(pattern).groups
