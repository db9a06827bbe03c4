"""Pages of the guide as scripts: what a reader would type, and what it says is printed.

A block of code is what the word behind its language says: ```toml file=NAME``` is a file,
```python``` is run, in ```console``` the lines that begin with `$ ` are commands and those below
them what they print, `…` being anything. Other blocks are left alone.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from dovetail.cli.main import run
from dovetail.cli.process import EXIT_BAD_INPUT, EXIT_LIMIT

BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONGEST_S = 120
PROGRAMS = {"dovetail": [sys.executable, "-m", "dovetail.cli.main"], "cc": ["cc"]}


@dataclass(frozen=True)
class Block:
    """One block of a page: its language, the file it is, if it is one, and its text."""

    language: str
    file: str | None
    text: str


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in their order."""
    return [Block(*found) for found in BLOCK.findall(page.read_text(encoding="utf-8"))]


def run_page(page: Path, folder: Path) -> int:
    """Do what a page says, in an empty folder; how many commands and scripts were run."""
    names: dict[str, object] = {}
    done = 0
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.text, str(page), "exec"), names)
            done += 1
        elif block.language == "console":
            for command, expected in commands(block.text):
                printed, status = printed_by(command, folder)
                assert matches(printed, expected), f"{command} printed:\n{printed}"
                assert status == expected_status(expected), f"{command} ended with {status}"
                done += 1
    return done


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command with the lines below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def matches(printed: str, expected: str) -> bool:
    """Whether the lines are as expected, `…` being anything."""
    pattern = ".*?".join(map(re.escape, trimmed(expected).split("…")))
    return re.fullmatch(pattern, trimmed(printed), re.DOTALL) is not None


def trimmed(text: str) -> str:
    """Without white space that nobody sees."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def expected_status(expected: str) -> int:
    """The exit status of a command that prints what is expected."""
    if expected.startswith("dovetail: ") or " refuses: " in expected:
        return EXIT_BAD_INPUT
    return EXIT_LIMIT if re.search("(node|time)-limit", expected) else 0


def printed_by(command: str, folder: Path) -> tuple[str, int]:
    """What a command prints, on both of its outputs, and its exit status.

    It is run here, in the folder, unless the page has installed something for it to find, or it
    starts a cluster, which would leave a process that tracks resources as long as this one is.
    """
    program, *words = shlex.split(command)
    if program == "pip":
        return install(folder), 0
    assert program in PROGRAMS, command
    needs_process = "--cluster" in words or any(folder.glob("*.dist-info"))
    if program == "dovetail" and not needs_process:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with redirect_stdout(printed), redirect_stderr(printed):
            status = run(words)
        printed.seek(0)
        return printed.read(), status
    done = subprocess.run(
        [*PROGRAMS[program], *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    return done.stdout, done.returncode


def install(folder: Path) -> str:
    """Leave what installing the folder's project would: the metadata with its entry points."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(head)
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return "installed"
