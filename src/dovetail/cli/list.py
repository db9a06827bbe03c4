"""`dovetail list`: the catalogue and the backends."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from dovetail.cli.output import print_lines

# What is printed below a name, where it is known, and its title there.
MORE = {"examples": "examples", "node_meaning": "a node is", "missing": "missing"}


class ListedType(StrEnum):
    """What can be listed."""

    PUZZLES = "puzzles"
    BACKENDS = "backends"


# The kind that a JSON object has.
SINGULAR = {ListedType.PUZZLES: "puzzle", ListedType.BACKENDS: "backend"}


def list_names(
    kind: Annotated[ListedType | None, typer.Argument(help="What to list; default: both.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per puzzle and backend.")
    ] = False,
) -> None:
    """List the catalogue's puzzles and the backends."""
    kinds = list(ListedType) if kind is None else [kind]
    listing = {k: _puzzles() if k == ListedType.PUZZLES else _backends() for k in kinds}
    if as_json:
        for name, rows in listing.items():
            for row in rows:
                print_lines(json.dumps({"kind": SINGULAR[name], **row}))
        return
    for name, rows in listing.items():
        print_lines(f"{name}:")
        for row in rows:
            print_lines(f"  {row['name']:30} {row['summary']}")
            for more, title in MORE.items():
                if row.get(more):
                    print_lines(f"  {'':30} {title}: {row[more]}")


def _puzzles() -> list[dict[str, str | None]]:
    from dovetail.puzzles.catalogue import ENTRIES

    return [
        {
            "name": entry.pattern,
            "summary": entry.summary,
            "examples": ", ".join(entry.examples) if entry.examples[0] != entry.pattern else None,
        }
        for entry in ENTRIES
    ]


def _backends() -> list[dict[str, str | None]]:
    from dovetail.backends.registry import backends, not_installed
    from dovetail.harness.planning import AUTO
    from dovetail.harness.planning.named import SUMMARY

    return [
        {
            "name": AUTO,
            "summary": SUMMARY,
            "node_meaning": "whatever the chosen backend counts",
            "missing": None,
        },
        *(
            {
                "name": b.name,
                "summary": b.summary,
                "node_meaning": b.node_meaning,
                "missing": not_installed(b),
            }
            for b in backends().values()
        ),
    ]
