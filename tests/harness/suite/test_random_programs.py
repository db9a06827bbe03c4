"""Whatever a suite says of a program is refused in one line that names the place, or works."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dovetail.backends.command.config import COMMAND, CommandConfig
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.harness.planning.named import named_config
from dovetail.harness.suite.suite_file import read_suite
from dovetail.printable import is_printable

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
@settings(max_examples=105)
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
