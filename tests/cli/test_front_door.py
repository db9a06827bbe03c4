"""What a new user types first: help, versions, near misses, TAB."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import pytest
import typer

from dovetail.backends.config import settings_of
from dovetail.backends.registry import backends
from dovetail.cli import options
from dovetail.cli.main import run
from dovetail.errors import ConfigError
from dovetail.harness.sizes import parse_seconds
from dovetail.models.request import REDUCTION_FORMS, TRIGGER_FORMS

SMALL = "pentominoes-5x6-FLNPUY"
FileWithBraces = Annotated[str, options.option("--file", "As {cnf} or {{x}}: {board_suffixes}.")]
COMMANDS = ("bench", "count", "help", "list", "report", "sample", "show", "solve", "verify")


@pytest.mark.parametrize("words", [["-h"], ["--help"], ["help"], []])
def test_the_list_of_commands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each, none of them cut."""
    assert run(words) == 0
    printed = capsys.readouterr().out
    listed = printed[printed.index("\nCommands:\n") :].strip().splitlines()[1:]
    assert {line.split()[0] for line in listed} >= set(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"dovetail {version('dovetail-puzzles')}\n"


def test_the_help_of_a_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "generate", "edges"]) == 0
    assert capsys.readouterr().out.startswith("Usage: dovetail generate edges ")


@pytest.mark.parametrize("words", [["count", "-h"], ["count", "--help"], ["help", "count"]])
def test_the_help_of_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Usage: dovetail count [OPTIONS]")
    for option in ("--labelled", "--seed", "--option-order", "--time-limit TIME"):
        assert option in printed


def test_advanced_options_are_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a section of their own; the help of count fits on two screens."""
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["count", "-h"]) == 0
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) <= 60
    basic, advanced = printed.split("\nAdvanced options:\n")
    for option in ("--audit", "--subproblem-order", "--trigger", "--json-progress"):
        assert f"  {option} " in advanced
        assert option not in basic
    assert "  -h, --help " in basic


def test_braces_in_a_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the names of lists of formats are filled in."""
    app = typer.Typer(rich_markup_mode=None)

    @app.command(cls=options.Subcommand)
    def act(_file: FileWithBraces) -> None:
        pass

    with pytest.raises(SystemExit):
        app(["--help"])
    assert "As {cnf} or {{x}}: .csv .txt" in " ".join(capsys.readouterr().out.split())


def test_the_help_of_reductions(capsys: pytest.CaptureFixture[str]) -> None:
    """Every form of a reduction and of a trigger is explained."""
    assert run(["help", "reductions"]) == 0
    printed = capsys.readouterr().out
    for form in (*REDUCTION_FORMS, *TRIGGER_FORMS):
        name, equals, _ = form.partition("=")
        assert name in printed
        assert not equals or f"{name}=" in printed or f"{name}[=" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


@pytest.mark.parametrize("name", sorted(backends()))
def test_the_help_of_a_backend(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every setting has its values, its default and a sentence."""
    assert run(["help", name]) == 0
    printed = capsys.readouterr().out
    words = " ".join(printed.split())
    assert printed.startswith(f"{name}: ")
    for setting in settings_of(backends()[name].config_type):
        assert f"{setting.key}: {setting.values} (default: {setting.default})" in words
        assert setting.meaning.endswith(".")
        assert setting.meaning.split()[0] in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_the_settings_of_all_backends(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the list, on request."""
    assert run(["list", "solvers", "--options"]) == 0
    printed = capsys.readouterr().out
    for backend in backends().values():
        for setting in settings_of(backend.config_type):
            assert f"{setting.key}: {setting.values} (default: {setting.default})" in printed
    assert run(["list", "solvers"]) == 0
    assert "default:" not in capsys.readouterr().out


def test_the_help_of_auto(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "auto"]) == 0
    assert "It has no settings" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["cuont"], "No such command 'cuont'. Did you mean 'count'"),
        (["count", SMALL, "--symetry", "all"], "no such option: --symetry; did you mean --sym"),
        (["count", "soma-cub"], "no such file; did you mean 'soma-cube'? valid: "),
        (["count", "soma"], "no such file; did you mean 'soma-cube'? valid: "),
        (["count", "queens"], "no such file; did you mean 'queens-8'? valid: "),
        (["count", "SOMA-CUBE"], "no such file; did you mean 'soma-cube'? valid: "),
        (["help", "dxl"], "did you mean 'dlx'?"),
        (["count", SMALL, "--time-limit"], "(see dovetail count --help)"),
        (["count", SMALL, "-b", "dlxx"], "unknown backend 'dlxx'; did you mean 'dlx'? valid: "),
        (["count", SMALL, "-b", "dlx", "-c", "stage=s"], "key 'stage'; did you mean 'stages'?"),
        (["count", SMALL, "--symmetry", "uniqe"], "'uniqe'; did you mean 'unique'? valid: all"),
        (["count", SMALL, "--reduce", "redundncy"], "did you mean 'redundancy'?"),
        (
            ["help", "domain"],
            "unknown command, backend or improver 'domain'; did you mean 'domains'?",
        ),
        (
            ["count", SMALL, "--time-limit", "5x"],
            "time is '5x'; expected seconds, or a time such as 5s",
        ),
        (
            ["count", SMALL, "--node-limit", "x"],
            "'--node-limit': 'x'; expected a whole number (see dovetail count --help)",
        ),
        (
            ["count", SMALL, "--limit", "0"],
            "'--limit': 0; expected 1 or more (see dovetail count --help)",
        ),
        (["count", SMALL, "--option-order", "x"], "'x' is unknown; valid: 'given', 'random' (see"),
        (["count"], "(see dovetail count --help)"),
    ],
)
def test_near_misses(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line with what was meant, or with whose help explains it; exit status 2."""
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("dovetail cou", ["count"]),
        ("dovetail count soma", ["soma-cube"]),
        ("dovetail count soma-cube -b f", ["fila", "fletcher", "frontier"]),
        ("dovetail count soma-cube -b fila -c ", ["stages=", "nof=", "kernel="]),
        ("dovetail bench soma-cube -b dlx,fila -c ", ["stages=", "kernel="]),
        ("dovetail bench soma-cube -b dlxx -c ", []),
        ("dovetail bench soma-cube -b dlx,bi", ["dlx,bitset"]),
        ("dovetail check-backend fl", ["fletcher"]),
        ("dovetail count soma-cube --symmetry m", ["mirror"]),
        ("dovetail count soma-cube --reduce v", ["volume"]),
        ("dovetail count soma-cube --trigger p", ["parity"]),
        ("dovetail help dl", ["dlx"]),
        ("dovetail bench qu", ["quick", "queens-8"]),
        ("dovetail show src/dovetail/err", ["src/dovetail/errors.py"]),
    ],
)
def test_suggestions_of_the_shell(
    typed: str,
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Words that begin so, as the script of a shell asks for them."""
    monkeypatch.setenv("_DOVETAIL_COMPLETE", "complete_bash")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", typed)
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert run([]) == 0
    printed = capsys.readouterr().out
    for word in offered:
        assert word in printed
    assert "xcover" not in printed


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5", 5), ("5s", 5), ("2m", 120), ("1h", 3600), ("1.5 h", 5400), ("300ms", 0.3), ("0", 0)],
)
def test_times(text: str, seconds: float) -> None:
    assert parse_seconds(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1", "nan", "1d", "5 s s", "1e3"])
def test_texts_that_are_no_times(text: str) -> None:
    with pytest.raises(ConfigError, match="expected seconds, or a time such as 5s, 2m or 1h"):
        parse_seconds(text)
