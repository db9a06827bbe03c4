"""`dovetail list`: the catalogue, the suites, the backends and the improvers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from dovetail.cli.output import print_lines

# What is printed below a name, where it is known, and its title there.
MORE = {"examples": "examples", "jobs": "jobs", "node_meaning": "a node is", "missing": "missing"}


class ListedType(StrEnum):
    """What can be listed."""

    PUZZLES = "puzzles"
    SUITES = "suites"
    BACKENDS = "backends"
    IMPROVERS = "improvers"


# The kind that a JSON object has.
SINGULAR = {
    ListedType.PUZZLES: "puzzle",
    ListedType.SUITES: "suite",
    ListedType.BACKENDS: "backend",
    ListedType.IMPROVERS: "improver",
}


def list_names(
    kind: Annotated[
        ListedType | None,
        typer.Argument(metavar="puzzles|suites|backends|improvers", help="Default: all."),
    ] = None,
    options: Annotated[
        bool, typer.Option("--options", help="Show the settings of backends and improvers.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line.")
    ] = False,
) -> None:
    """List the puzzles, suites, backends and improvers there are."""
    kinds = list(ListedType) if kind is None else [kind]
    rows_of: dict[ListedType, Callable[[], Sequence[Mapping[str, Any]]]] = {
        ListedType.PUZZLES: _puzzles,
        ListedType.SUITES: _suites,
        ListedType.BACKENDS: _backends,
        ListedType.IMPROVERS: _improvers,
    }
    listing = {k: rows_of[k]() for k in kinds}
    if as_json:
        for name, rows in listing.items():
            for row in rows:
                fields = {"kind": SINGULAR[name], **row}
                if not options:
                    fields.pop("settings", None)
                print_lines(json.dumps(fields))
        return
    for name, rows in listing.items():
        print_lines(f"{name}:")
        for row in rows:
            print_lines(f"  {row['name']:30} {row['summary']}")
            for more, title in MORE.items():
                value = row.get(more)
                if value and value != [row["name"]]:
                    text = ", ".join(value) if isinstance(value, list) else value
                    print_lines(f"  {'':30} {title}: {text}")
            if options and "settings" in row:
                _print_settings(row["settings"])


def _print_settings(settings: Iterable[Mapping[str, str]]) -> None:
    from dovetail.backends.config import Setting
    from dovetail.reports.backend_help import settings_lines

    for line in settings_lines(Setting(**one) for one in settings):
        print_lines(f"    {line}")


def _puzzles() -> list[dict[str, object]]:
    from dovetail.puzzles.catalogue import catalogue

    return [
        {
            "name": entry.pattern,
            "summary": entry.summary,
            "examples": list(entry.examples),
        }
        for entry in catalogue()
    ]


def _suites() -> list[dict[str, str | int]]:
    from dovetail.harness.suite.suite_file import bundled_suites, read_suite

    plans = {name: read_suite(path) for name, path in bundled_suites().items()}
    return [
        {"name": name, "summary": plan.about, "jobs": len(plan.jobs)}
        for name, plan in plans.items()
    ]


def _backends() -> list[dict[str, object]]:
    from dovetail.harness.planning.named import backend_description, backend_names

    return [asdict(backend_description(name)) for name in backend_names()]


def _improvers() -> list[dict[str, object]]:
    from dovetail.backends.config import settings_of
    from dovetail.improvers.registry import improvers

    return [
        {
            "name": name,
            "summary": improver.summary,
            "settings": [asdict(one) for one in settings_of(improver.config_type)],
        }
        for name, improver in improvers().items()
    ]
