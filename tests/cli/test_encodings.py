"""Terminals and pipes whose encoding has not every character."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from cli.command import DOVETAIL
from cli.test_standard_streams import folder
from dovetail.cli.main import make_app, run

__all__ = ["folder"]  # the fixture

PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
NAMED = """\
name = "Prüfung ≠ ☃"
region = "A . ."
[[piece]]
name = "ø"
cells = [[0, 0], [1, 0]]
"""


def printed(
    folder: Path, words: str, encoding: str, variables: dict[str, str], status: int = 0
) -> tuple[str, str]:
    """What the command prints on standard output and standard error, strictly decoded."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [*DOVETAIL, *words.split()],
        cwd=folder,
        env={**environment, **variables},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == status, done.stderr
    return done.stdout.decode(encoding), done.stderr.decode(encoding)


def test_what_the_encoding_lacks(folder: Path) -> None:
    """Is replaced by something that can be read, in tables too."""
    out, _ = printed(folder, "count queens-8 -b dlx --node-limit 5", "ascii", PLAIN_C, 3)
    assert "queens-8: >= 0 unique solutions (node-limit)" in out
    assert re.search("prepare [0-9.,]+ (ms|us|µs|s)", out)
    out, _ = printed(folder, "show queens-6", "ascii", PLAIN_C)
    assert "\n... and 24 more" in out
    out, _ = printed(folder, "bench suite.toml", "ascii", PLAIN_C)
    assert "x solve" in out
    assert ">=, >: lower bound" in out
    out, _ = printed(folder, "compare runs.jsonl runs.jsonl", "ascii", PLAIN_C)
    assert "runs.jsonl -> runs.jsonl" in out
    _, err = printed(folder, "count nonsense", "ascii", PLAIN_C, 2)
    assert "soma-cube,... (dovetail list puzzles)" in err


def test_names_that_the_encoding_lacks(folder: Path) -> None:
    """Characters of the user's own are escaped, in text and in messages."""
    (folder / "named.toml").write_text(NAMED, encoding="utf-8")
    out, _ = printed(folder, "show named.toml", "ascii", PLAIN_C)
    assert "fung \\u2260 \\u2603: 1 kind of piece" in out
    _, err = printed(folder, "solve named.toml --limit 1", "ascii", PLAIN_C)
    assert "fung \\u2260 \\u2603: " in err


def test_files_are_in_utf_8(folder: Path) -> None:
    """Whatever the terminal's encoding is."""
    printed(folder, "report runs.jsonl -o report.md", "ascii", PLAIN_C)
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "×" in report
    environment = {**os.environ, **PLAIN_C}
    words = [*DOVETAIL, *["report", "runs.jsonl", "-o", "-", "--format", "md"]]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True)
    assert len(done.stdout.decode("utf-8").splitlines()) == len(report.splitlines())


def test_the_help_is_in_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Typer would print it in UTF-8 where the encoding is ASCII."""
    names = [command.name for command in make_app().registered_commands if command.name]
    assert "report" in names
    for words in ([], *([name] for name in names), ["generate", "edges"]):
        assert run([*words, "--help"]) == 0
        assert capsys.readouterr().out.isascii(), words


def test_files_on_standard_output_are_utf_8(folder: Path) -> None:
    """What a file would hold, not what the terminal can show."""
    (folder / "named.toml").write_text(NAMED, encoding="utf-8")
    words = "convert named.toml - --to toml"
    out, _ = printed(folder, words, "utf-8", {"PYTHONIOENCODING": "ascii"})
    assert 'name = "Prüfung ≠ ☃"' in out
