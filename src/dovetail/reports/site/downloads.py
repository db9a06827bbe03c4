"""Raw records for download: every file as it was given, and the records of each puzzle and backend.

The copies are the files byte for byte. The other files have a record in each line, in the present
schema, in the order of the files that they come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.records.environment import computer_of
from dovetail.harness.records.questions import solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.sizes import show_size
from dovetail.reports.columns import results_csv
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Section
from dovetail.reports.site.content import ComputerResults, SiteContent, SourceFile, one_line
from dovetail.reports.table import text_table

COLUMNS = ("file", "suites", "machines", "records", "puzzles", "solvers", "runs from", "to", "size")
WORDS = 3  # columns of words
ABOUT = (
    "The files that this site was made from, as they were given. The pages of puzzles and solvers "
    "have the records about them, in the present schema; the pages of machines have their figures "
    "as CSV."
)
RECORDS_SUFFIX, FIGURES_SUFFIX = ".jsonl", ".csv"


def records_text(records: Iterable[Record]) -> bytes:
    """The content of a file with these records, a line for each."""
    lines = (json.dumps(record.json_fields(), allow_nan=False) for record in records)
    return "".join(f"{line}\n" for line in lines).encode()


def figures_text(computer: ComputerResults) -> bytes:
    """The content of a CSV file with a line for each result of a computer."""
    return results_csv(computer.results).encode()


def copy_name(content: SiteContent, place: int) -> str:
    """The name of the copy of the file at a place."""
    return content.source_files[place] + content.files[place].suffix


def download_part(file_name: str, records: int) -> Section:
    """A link to the records that a page is about, in the same folder."""
    name = f"{file_name}{RECORDS_SUFFIX}"
    return _files_part("records", "Records", [(name, f"{records:,}")], ("file", "records"))


def figures_part(file_name: str, results: int) -> Section:
    """A link to the figures of a computer, in the same folder."""
    name = f"{file_name}{FIGURES_SUFFIX}"
    return _files_part("figures", "Figures", [(name, f"{results:,}")], ("file", "lines"))


def records_page(content: SiteContent) -> Page:
    """The list of all files, with what is in each."""
    rows = [
        (copy_name(content, place), *_cells(source)) for place, source in enumerate(content.files)
    ]
    part = _files_part("files", how_many(len(rows), "file"), rows, COLUMNS, WORDS)
    return Page("Records", ABOUT, (), (part,))


def _files_part(
    identity: str,
    title: str,
    rows: Sequence[tuple[str, ...]],
    columns: tuple[str, ...],
    left: int = 1,
) -> Section:
    """A table whose first column has names of files in the same folder."""
    links = {columns[0]: {row[0]: row[0] for row in rows}}
    return Section(
        identity, title, tables=(text_table(columns, tuple(rows), words=left, links=links),)
    )


def _cells(source: SourceFile) -> Iterator[str]:
    records = source.file.records
    times = sorted(record.begun[:10] for record in records if record.begun)
    yield _distinct(record.suite or ABSENT for record in records)
    yield _distinct(computer_of(record).title for record in records)
    yield f"{len(records):,}"
    yield f"{len({record.job.puzzle_digest for record in records}):,}"
    yield f"{len(set(map(solver_name, records))):,}"
    yield times[0] if times else ABSENT
    yield times[-1] if times else ABSENT
    yield show_size(len(source.data))


def _distinct(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(map(one_line, texts)))
