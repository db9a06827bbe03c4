"""What a new user types first: help, versions, near misses, TAB."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from dovetail.backends.config import settings_of
from dovetail.backends.registry import backends
from dovetail.cli.main import run
from dovetail.models.request import REDUCTION_FORMS, TRIGGER_FORMS

SMALL = "pentominoes-5x6-FLNPUY"
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


@pytest.mark.parametrize("words", [["count", "-h"], ["count", "--help"], ["help", "count"]])
def test_the_help_of_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Usage: dovetail count [OPTIONS]")
    for option in ("--labelled", "--seed", "--option-order", "--time-limit TIME"):
        assert option in printed




def test_the_help_of_reductions(capsys: pytest.CaptureFixture[str]) -> None:
    """Every form of a reduction and of a trigger is explained."""
    assert run(["help", "reductions"]) == 0
    printed = capsys.readouterr().out
    for form in (*REDUCTION_FORMS, *TRIGGER_FORMS):
        name, equals, _ = form.partition("=")
        assert name in printed
        assert not equals or f"{name}=" in printed or f"{name}[=" in printed


@pytest.mark.parametrize("name", sorted(backends()))
def test_help_and_list_options_have_values_and_default_of_every_setting(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["help", name]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name}: ")
    assert run(["list", "solvers", name, "--options"]) == 0
    listed = capsys.readouterr().out
    for setting in settings_of(backends()[name].config_type):
        shown = f"{setting.key}: {setting.values} (default: {setting.default})"
        assert shown in " ".join(printed.split())
        assert shown in " ".join(listed.split())
        assert setting.meaning.split()[0] in printed






@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["cuont"], "No such command 'cuont'. Did you mean 'count'"),
        (["count", SMALL, "--symetry", "all"], "no such option: --symetry; did you mean --sym"),
        (["count", "soma-cub"], "no such file; did you mean 'soma-cube'? valid: "),
        (["count", "SOMA-CUBE"], "no such file; did you mean 'soma-cube'? valid: "),
        (["help", "dxl"], "did you mean 'dlx'?"),
        (["count", SMALL, "-b", "dlxx"], "unknown backend 'dlxx'; did you mean 'dlx'? valid: "),
        (["count", SMALL, "-b", "dlx", "-c", "stage=s"], "key 'stage'; did you mean 'stages'?"),
        (["count", SMALL, "--symmetry", "uniqe"], "'uniqe'; did you mean 'unique'? valid: all"),
        (["count", SMALL, "--node-limit", "x"], "'--node-limit': 'x'; expected a whole number (see"),
        (["count", SMALL, "--limit", "0"], "'--limit': 0; expected 1 or more (see dovetail count"),
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
        ("dovetail bench soma-cube -b dlx,bi", ["dlx,bitset"]),
        ("dovetail count soma-cube --symmetry m", ["mirror"]),
        ("dovetail count soma-cube --reduce v", ["volume"]),
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
