"""Readers on spoilt files: no traceback, no hang, and every rejection one line with a place.

The long version (100,000 files over all readers) is `pytest -m slow tests/fuzz`.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from dovetail.api import solve
from dovetail.cli.main import run
from dovetail.errors import DovetailError, FormatError
from dovetail.files.text_file import TextFile
from dovetail.harness.records.record import Load
from dovetail.harness.records.record_files import RecordStore
from dovetail.harness.records.run_record import run_record
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.edges import read_edge_text
from dovetail.puzzles.formats.registry import (
    possible_formats,
    puzzle_formats,
    read_puzzles,
    read_solutions,
    solution_writer,
)
from dovetail.puzzles.loading import load, load_all
from fuzz.mutations import mutated
from fuzz.watching import MemoryMonitor, in_time

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "puzzles" / "formats.md"
XMPUZZLES = Path(__file__).parents[1] / "puzzles" / "formats" / "xmpuzzles"
LONGEST_S = 2.0
LONGEST_COMMAND_S = 5.0
LONGEST_REFUSAL = 500
MAX_GROWTH = 512 * 2**20
BATCH = 200

SUITE = b"""\
name = "small"
repeats = 2
seed = 7
limits = { time_s = 20, memory = "2 GiB" }
[[run]]
puzzles = ["queens-6", "langford-4"]
backends = ["dlx", "cpsat"]
expected = { queens-6 = 1 }
config.cpsat = { linearization_level = [0, 1] }
"""
FAR_SPHERES = b"""\
lattice = "spheres"
cells = [[0, 0, 0], [1, 1, 0], [300, 0, 0], [301, 1, 0]]
[[piece]]
name = "scattered"
cells = [[0, 0, 0], [300, 0, 0]]
count = 2
placements = [[[0, 0, 0], [300, 0, 0]], [[1, 1, 0], [301, 1, 0]]]
"""
NAMES = ("soma-cube", "edges-4-b3i3-1", "queens-6", "pentominoes-5x6-FLNPUY")

# The formats of solutions that one kind of puzzle has.
PUZZLE_TYPE_OF = {".xmpuzzle": PackingPuzzle, ".url": EdgePuzzle}
# What solvers print for a file of `convert`: choices of options of six queens.
PRINTED = {
    "sat.printed": b"c a solver\ns SATISFIABLE\nv 1 -2 3\nv 36 -38 0\ns SATISFIABLE\nv 0\n",
    "opb.printed": b"s OPTIMUM FOUND\nv x1 -x2\nv x12 -x37\ns SATISFIABLE\nv x3\n",
    "mzn.printed": (b"x = [" + b"0, 1,\n" * 17 + b"false, true];\n----------\n") * 2,
    "xcsp3.printed": (
        b"s SATISFIABLE\nv <instantiation id='1'>\nv <list> x[] y[] </list>\n"
        b"v <values> 0x9 1 0x26 1x3 </values>\nv </instantiation>\n"
    ),
}

Reader = Callable[[Path], object]


def whole_files() -> dict[str, tuple[bytes, Reader]]:
    """Return a valid file for every reader, with the reader."""
    files: dict[str, tuple[bytes, Reader]] = {
        "suite.toml": (SUITE, read_suite),
        "far-spheres.toml": (FAR_SPHERES, load_all),
        "bare.txt": (b"0 0 1 2\n" * 9, lambda path: read_edge_text(TextFile(path), header=False)),
        "runs.jsonl": (records(), lambda path: RecordStore(path).close()),
    }
    path = XMPUZZLES / "spheres-octahedron.xmpuzzle"
    files[path.name] = (path.read_bytes(), load_all)
    files |= {name: (text, load_all) for name, text in documented_files()}
    for name in NAMES:
        puzzle = load(name)
        for one in puzzle_formats().values():
            if one.readable and one.keeps_symmetries and one.is_for(puzzle):
                text = one.text(puzzle).encode()
                files[f"{name}.{one.name}{one.suffixes[0]}"] = (text, load_all)
        for suffix in (".txt", ".jsonl", ".json", ".csv", ".xmpuzzle", ".url"):
            if PUZZLE_TYPE_OF.get(suffix, type(puzzle)) is type(puzzle):
                files[f"{name}.solutions{suffix}"] = solutions(puzzle, suffix)
    queens = load("queens-6")
    for name, text in PRINTED.items():
        files[name] = (text, lambda path: list(read_solutions(TextFile(path), queens)))
    files["packed.xmpuzzle"] = (gzip.compress(files["soma-cube.burrtools.xmpuzzle"][0]), load_all)
    return files


def documented_files() -> Iterator[tuple[str, bytes]]:
    """Yield the puzzles in the documentation of formats."""
    examples = re.findall(r"(?:^(?: {4}.*)?\n)+", DOCUMENTATION.read_text(), re.MULTILINE)
    for number, example in enumerate(examples):
        text = re.sub("^ {4}", "", example, flags=re.MULTILINE).strip("\n").encode()
        try:
            file = TextFile(Path("example"), text)
            suffix = possible_formats(file)[0].suffixes[0]
            read_puzzles(TextFile(Path(f"example{suffix}"), text))[0]
        except DovetailError:
            continue
        yield f"example-{number}{suffix}", text


def records() -> bytes:
    """Return the lines of a file of records."""
    job = Job(load("queens-6"), Request(Symmetry.ALL), "dlx")
    finished = finish(execute(job))
    about: dict[str, Any] = {"suite": "small", "expected": 4, "begun": "", "load": Load()}
    lines = (run_record(job, finished, repeat=n, **about).json_fields() for n in range(3))
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def solutions(puzzle: Puzzle, suffix: str) -> tuple[bytes, Reader]:
    """Return a file of two solutions, and its reader."""
    found = solve(puzzle, symmetry="all", limits=Limits(solutions=2))
    content = solutions_text(solution_writer(suffix, puzzle), found).encode()
    return content, lambda path: list(read_solutions(TextFile(path), puzzle))


def refusal_of(read: Reader, path: Path) -> str | None:
    """Return the message with which a reader refuses a file; other errors are raised."""
    try:
        read(path)
    except FormatError as error:
        return str(error)
    return None


def check_refusal(refusal: str, path: Path, number: int) -> None:
    """Check that a refusal is one short line that begins with the file."""
    assert refusal.startswith(f"{path}:"), f"{number}: {refusal}"
    assert len(refusal.splitlines()) == 1, f"{number}: {refusal}"
    assert len(refusal) < len(str(path)) + LONGEST_REFUSAL, f"{number}: {refusal}"


def check_command(words: list[str], what: str) -> None:
    """Check that a command has a valid exit status and prints at most one line of errors."""
    # Like the real ones: what cannot be encoded is an error on the one, not on the other.
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", "strict")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    with redirect_stdout(out), redirect_stderr(err), in_time(LONGEST_COMMAND_S, what):
        status = run(words)
    err.seek(0)
    complaint = err.read()
    assert status in (0, 1, 2), f"{what}: {status}"
    assert complaint.count("\n") <= 1, f"{what}: {complaint}"
    assert complaint or status != 2, f"{what}: nothing said"


@pytest.mark.parametrize("files", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_damaged_files_are_read_or_refused(tmp_path: Path, files: int) -> None:
    cases = list(whole_files().items())
    for name, (content, read) in cases:
        path = tmp_path / name
        path.write_bytes(content)
        read(path)  # a whole file is read
    refused = {name: 0 for name, _ in cases}
    memory = MemoryMonitor(MAX_GROWTH, BATCH)
    for number in range(files):
        name, (content, read) = cases[number % len(cases)]
        path = tmp_path / name
        path.write_bytes(mutated(content, random.Random(f"{number}")))
        with in_time(LONGEST_S, f"{number}, {name}"):
            refusal = refusal_of(read, path)
        if refusal is not None:
            refused[name] += 1
            check_refusal(refusal, path, number)
        memory.read(number)
    assert all(refused.values()), refused


@pytest.mark.parametrize("files", [40, pytest.param(4_000, marks=pytest.mark.slow)])
def test_commands_on_damaged_puzzles_end_in_order(tmp_path: Path, files: int) -> None:
    """The exit status is 0, 1 or 2, with at most one line on standard error."""
    whole = whole_files()
    cases = [(name, content) for name, (content, read) in whole.items() if read is load_all]
    solutions = tmp_path / "solutions.txt"
    solutions.write_bytes(whole["soma-cube.solutions.txt"][0])
    memory = MemoryMonitor(MAX_GROWTH, BATCH)
    formats = list(puzzle_formats())
    for number in range(files):
        name, content = cases[number % len(cases)]
        path = tmp_path / name
        path.write_bytes(mutated(content, random.Random(f"{number} in commands")))
        target = formats[number // len(cases) % len(formats)]
        check_command(["convert", str(path), "-", "--to", target], f"{number}, {name} to {target}")
        check_command(["verify", str(path), str(solutions)], f"{number}, {name} verified")
        memory.read(number)
