"""`dovetail list`: the catalogue and the backends."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from dovetail.cli.options import Json


class Kind(StrEnum):
    """What can be listed."""

    PUZZLES = "puzzles"
    BACKENDS = "backends"


def list_names(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; default: both.")] = None,
    as_json: Json = False,
) -> None:
    """List the catalogue's puzzles and the backends."""
    kinds = list(Kind) if kind is None else [kind]
    listing = {str(k): _puzzles() if k == Kind.PUZZLES else _backends() for k in kinds}
    if as_json:
        typer.echo(json.dumps(listing))
        return
    for name, rows in listing.items():
        typer.echo(f"{name}:")
        for row in rows:
            typer.echo(f"  {row['name']:30} {row['summary']}")
            for more in ("examples", "missing"):
                if row.get(more):
                    typer.echo(f"  {'':30} {more}: {row[more]}")


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
    from dovetail.harness.auto import AUTO
    from dovetail.harness.auto.named import SUMMARY

    return [
        {"name": AUTO, "summary": SUMMARY, "missing": None},
        *(
            {"name": b.name, "summary": b.summary, "missing": not_installed(b)}
            for b in backends().values()
        ),
    ]
