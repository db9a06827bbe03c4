"""`dovetail status`: what a checkpoint holds."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.options import Json
from dovetail.cli.output import print_lines


def status(
    checkpoint: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file written with --checkpoint.")
    ],
    *,
    as_json: Json = False,
) -> None:
    """Show how much of a long run is done.

    Prints the share of the search tree done, the solutions and nodes so far, the rate, and a range
    of the time left. The run may be under way.
    """
    from dovetail.harness.workers.checkpoint import checkpoint_status
    from dovetail.reports.describe_search import describe_status

    for run in checkpoint_status(checkpoint):
        print_lines(json.dumps(asdict(run)) if as_json else describe_status(run))
