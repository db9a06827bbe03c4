"""`dovetail check-backend`: does a backend do what every backend has to?"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer

from dovetail.cli import suggestions
from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.guard import complain
from dovetail.cli.options import AllowCommands, ConfigWords, permit_commands
from dovetail.cli.output import print_lines


def check_backend(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A backend; see `dovetail list backends`.",
            autocompletion=suggestions.backends,
        ),
    ],
    config: ConfigWords = None,
    allow_commands: AllowCommands = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per check.")
    ] = False,
) -> None:
    """Test a backend on small puzzles of every kind.

    Describes each failure. A backend may refuse a puzzle if it gives the reason.
    The exit status is 1 if a check failed, or if the backend refuses every puzzle.
    """
    permit_commands(allowed=allow_commands)
    from dovetail.backends.config import parse_words
    from dovetail.harness.contract.cases import CASES
    from dovetail.harness.contract.check_backend import check_backend as verdicts
    from dovetail.harness.contract.subject import Judgement
    from dovetail.printable import printable

    counted = {case.name for case in CASES}
    judgements = Counter[Judgement]()
    wrong = takes_any = False
    for verdict in verdicts(name, settings=parse_words(config or [])):
        judgements[verdict.judgement] += 1
        wrong = wrong or verdict.is_wrong
        refused = verdict.judgement == Judgement.REFUSED
        takes_any = takes_any or (verdict.check in counted and not refused)
        if as_json:
            print_lines(json.dumps({**asdict(verdict), "total_s": round(verdict.total_s, 3)}))
            continue
        shown = str(verdict.judgement).upper() if verdict.is_wrong else str(verdict.judgement)
        text = "" if verdict.reason is None else f": {printable(verdict.reason)}"
        print_lines(f"  {shown:8} {verdict.check}{text}")
        if verdict.judgement == Judgement.FAILED:
            print_lines(f"  {'':8} required: {verdict.requires}")
    if not takes_any:
        complain(f"{name} refuses every puzzle of the checks, so its counts are untested")
    if not as_json:
        totals = (f"{judgements[one]} {one}" for one in Judgement if judgements[one])
        print_lines(f"{name}: {', '.join(totals)}")
    raise typer.Exit(EXIT_WRONG if wrong or not takes_any else 0)
