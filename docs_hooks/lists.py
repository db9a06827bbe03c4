"""Fill in the lists of puzzles and suites, which the package has: `<!-- list of puzzles -->`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from dovetail.api import catalogue
from dovetail.harness.suite.suite_file import bundled_suites

MARK = re.compile(r"^<!-- list of (\w+) -->$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put a table in the place of each mark."""
    return MARK.sub(lambda mark: LISTS[mark[1]](), markdown)


def puzzles() -> str:
    """Return the families of the catalogue with some of their names."""
    rows = ((f"`{one.pattern}`", one.summary, names(one.examples)) for one in catalogue())
    return table("name", "puzzle", "for example", rows=rows)


def suites() -> str:
    """Return the suites that come with dovetail, as their files describe themselves."""
    files = (tomllib.loads(path.read_text("utf-8")) for path in bundled_suites().values())
    return table("suite", "runs", rows=((f"`{one['name']}`", one["about"]) for one in files))


LISTS = {"puzzles": puzzles, "suites": suites}


def names(examples: Iterable[str]) -> str:
    """Return names as code."""
    return ", ".join(f"`{name}`" for name in examples)


def table(*heads: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
