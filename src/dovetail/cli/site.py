"""`dovetail site`: static pages of recorded runs, for a web server or for a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.guard import complain
from dovetail.cli.reporting import RunsArgument

if TYPE_CHECKING:
    from dovetail.reports.site.content import SourceFile

TITLE = "Results"
PIPED = "standard-input.jsonl"


def site(
    runs: RunsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to write: new, empty, or a site of an earlier time, which is replaced.",
        ),
    ],
    title: Annotated[str, typer.Option(metavar="TEXT", help="Title of the home page.")] = TITLE,
) -> None:
    """Write a site of static pages about recorded runs.

    Leaderboards by family of puzzles and by machine, a page for each puzzle and each solver, the
    history over revisions, and the records for download. The pages need no server.
    """
    from dovetail.cli.output import STANDARD_OUTPUT, print_lines
    from dovetail.errors import ConfigError, how_many
    from dovetail.reports.site.content import site_of
    from dovetail.reports.site.files import site_files, site_folder

    if output == STANDARD_OUTPUT:
        raise ConfigError("-o - is standard output; expected a folder")
    folder = site_folder(output)
    folder.check()
    content = site_of(list(_sources(runs, output)), title)
    written = folder.replace(site_files(content))
    home = output / "index.html"
    print_lines(f"{home}: {how_many(written, 'file')}, {how_many(len(content.records), 'record')}")


def _sources(runs: Sequence[Path], output: Path) -> Iterator[SourceFile]:
    """Yield the files, each once, and print warnings about what could not be read in them.

    Raises `ConfigError` for a file in the folder that is written, `FormatError` for one without
    records.
    """
    from dovetail.errors import ConfigError
    from dovetail.files.text_file import STANDARD_INPUT, input_bytes
    from dovetail.harness.records.record_files import parse_file
    from dovetail.reports.site.content import SourceFile

    places = {STANDARD_INPUT if path == STANDARD_INPUT else path.resolve(): path for path in runs}
    for place, path in places.items():
        if place.is_relative_to(output.resolve()):
            raise ConfigError(f"{path} is in -o {output}; expected files outside of the site")
        data = input_bytes(path)
        file = parse_file(data, path)
        if file.warning is not None:
            complain(file.warning)
        yield SourceFile(PIPED if path == STANDARD_INPUT else path.name, data, file)
