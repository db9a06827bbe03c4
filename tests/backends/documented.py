"""The options on the pages of solvers and improvers, made from their configs.

python tests/backends/documented.py
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from dovetail.backends.config import Setting, settings_of
from dovetail.backends.registry import backends
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import backend_description, backend_names
from dovetail.improvers.registry import improver_named, improvers
from dovetail.models.formulations.registry import FORMULATIONS

PAGES = Path(__file__).parents[2] / "docs" / "solvers"
FORMULATIONS_PAGE = PAGES / "methods" / "formulations.md"
BEGIN, END = "<!-- options: python tests/backends/documented.py -->", "<!-- end of options -->"


def pages() -> dict[Path, str]:
    """Return pages with the text between their marks: options, or the table of formulations."""
    found = {
        PAGES / f"{name}.md": _options(
            f"-b {name} -c KEY=VALUE", backend_description(name).settings, name
        )
        for name in backend_names()
    }
    for name in improvers():
        settings = settings_of(improver_named(name).config_type)
        call = f"dovetail improve BOARD -b {name} -c KEY=VALUE"
        found[PAGES / "improvers" / f"{name}.md"] = _options(call, settings, name)
    found[FORMULATIONS_PAGE] = formulations_table()
    return found


def formulations_table() -> str:
    """Return the formulations, the puzzles they are for and the solvers that take them."""
    rows = []
    for each in FORMULATIONS:
        solvers = ", ".join(
            f"`{name}`"
            for name, backend in backends().items()
            if backend.formulations is not None and each in backend.formulations.formulations
        )
        rows.append(f"| `{each.name}` | {each.puzzles} | {each.summary} | {solvers} |")
    return "\n".join(["| name | puzzles | statement | solvers |", "|---|---|---|---|", *rows])


def with_options(page: str, options: str) -> str:
    """Return the text of a page with `options` between its two marks."""
    begin, rest = page.split(BEGIN)
    _, end = rest.split(END)
    return f"{begin}{BEGIN}\n\n{options}\n\n{END}{end}"


def _options(call: str, settings: Sequence[Setting], name: str) -> str:
    if not settings:
        none = f"`{name}` has no options."
        return none + (" Name the solver with `-b` to set its options." if name == AUTO else "")
    rows = [
        f"| `{one.key}` | {_cell(one.values)} | {_default(one.default)} | {_cell(one.meaning)} |"
        for one in settings
    ]
    head = ["| option | values | default | meaning |", "|---|---|---|---|"]
    return "\n".join([f"Set by `{call}`.", "", *head, *rows])


def _default(value: str) -> str:
    return f"`{value}`" if value else ""


def _cell(text: str) -> str:
    """Return plain text as it reads in a cell of a table."""
    return re.sub(r"([\\|*_\[\]<>{}])", r"\\\1", text)


if __name__ == "__main__":
    for path, options in pages().items():
        path.write_text(with_options(path.read_text(), options))
