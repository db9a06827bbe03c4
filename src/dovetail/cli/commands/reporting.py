"""`report`, `reproductions`, `site`, `capsule` and `compare`: reports on recorded runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from dovetail.cli import options
from dovetail.cli.options import argument, option
from dovetail.cli.output import (
    MESSAGES,
    STANDARD_OUTPUT,
    complain,
    print_lines,
    print_text,
    write_text,
)
from dovetail.cli.process import EXIT_WRONG
from dovetail.errors import ConfigError, FormatError, how_many, list_first, shorten
from dovetail.files.writing import write_whole
from dovetail.printable import printable

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record
    from dovetail.harness.records.record_files import RecordFile
    from dovetail.harness.suite.plan import SuitePlan
    from dovetail.reports.page import Page
    from dovetail.reports.site.content import SourceFile

MAX_NAMED = 3
PIPED = "standard-input.jsonl"

# Formats, which are also suffixes. Standard output gets the first format by default.
PageFormat = Literal["html", "md"]
ReportFormat = Literal["html", "md", "csv", "tex"]


class Fault(StrEnum):
    """Changes that are errors only if `compare --fail-on` names them."""

    NODES = "nodes"
    SLOWER = "slower"
    UNFINISHED = "unfinished"
    REMOVED = "removed"
    LOWER_SCORE = "lower-score"


def report(
    runs: options.RunFiles,
    output: Annotated[
        Path | None,
        option(
            "--output -o REPORT.html|.md|.csv|.tex",
            "Write an HTML page, Markdown without pictures, CSV, or tables in LaTeX; - is "
            "standard output. Default: print the verdict and the ranking.",
        ),
    ] = None,
    suite: Annotated[
        Path | None,
        option(
            "--suite SUITE",
            "Name or file of the suite that was run; adds the figures and tables that the suite "
            "defines, and its expected counts.",
        ),
    ] = None,
    form: Annotated[
        ReportFormat | None,
        option("--format", "Output format; default: by the suffix of the file."),
    ] = None,
) -> None:
    """Print or write a report of recorded runs.

    Shows which solver is fastest and why, then all results.
    """
    from dovetail.harness.suite.suite_file import load_suite
    from dovetail.reports.columns import results_csv
    from dovetail.reports.exhibits.measured import exhibits_csv
    from dovetail.reports.rendering.terminal import print_page
    from dovetail.reports.results.page import report_page, report_results

    chosen = form or (None if output is None else _format_of(output, get_args(ReportFormat)))
    plan = None if suite is None else load_suite(suite)
    if plan is not None and plan.left_out is not None:
        complain(plan.left_out)
    records, warnings = _read_runs(runs, output, [] if suite is None else [suite])
    if plan is not None:
        _check_suites([plan], records, runs)
    if chosen is None:
        print_page(report_page(records, plan, warnings))
        return
    if chosen != "csv":
        text = _page_text(report_page(records, plan, warnings), chosen)
    elif plan is not None and plan.exhibits:
        text = exhibits_csv(plan, records)
    else:
        text = results_csv(report_results(records, plan))
    write_text(output or STANDARD_OUTPUT, text)


def reproductions(
    runs: options.RunFiles,
    output: Annotated[
        Path,
        option(
            "--output -o PAGE.html|.md",
            "HTML, or Markdown without pictures; - is standard output (HTML).",
        ),
    ],
    suite: Annotated[
        list[Path] | None,
        option(
            "--suite SUITE",
            "Suite with published figures; default: all bundled suites that have some. Can be "
            "repeated.",
        ),
    ] = None,
    estimates: Annotated[
        list[Path] | None,
        option(
            "--estimates FILE.jsonl",
            "Output of estimate --json; adds estimated fits. Can be repeated.",
        ),
    ] = None,
    form: Annotated[
        PageFormat | None, option("--format", "Output format; default: by the suffix of the file.")
    ] = None,
) -> None:
    """Show every published row beside its measured figures.

    Says for each row whether it is exact, and if not, why. Rows without a run are listed too.
    """
    from dovetail.harness.records.record_files import read_estimates
    from dovetail.harness.suite.suite_file import bundled_suites, load_suite
    from dovetail.reports.exhibits.reproductions import reproductions_page

    chosen = form or _format_of(output, get_args(PageFormat))
    asked = dict.fromkeys(suite or bundled_suites().values())
    plans = [plan for plan in map(load_suite, asked) if plan.has_published]
    if not plans:
        named = ", ".join(map(str, asked))
        raise ConfigError(f"found no published rows or figures in suite {named}")
    records, warnings = _read_runs(runs, output, [*(suite or []), *(estimates or [])])
    _check_suites(plans, records, runs)
    estimated = [estimate for path in estimates or [] for estimate in read_estimates(path)]
    page = reproductions_page(plans, records, warnings, estimated)
    write_text(output, _page_text(page, chosen))


def site(
    runs: options.RunFiles,
    output: Annotated[
        Path,
        option(
            "--output -o DIR", "Folder to write: new, empty, or an earlier site, which is replaced."
        ),
    ],
    title: Annotated[str, option("--title TEXT", "Title of the home page.")] = "Results",
) -> None:
    """Write a site of static pages about recorded runs.

    The site has leaderboards by family of puzzles and by machine, a page for each puzzle and each
    solver, the history over revisions, and the records for download. It needs no server.
    """
    from dovetail.reports.site.content import site_of
    from dovetail.reports.site.files import site_files, site_folder

    if output == STANDARD_OUTPUT:
        raise ConfigError("-o - is standard output; expected a folder")
    folder = site_folder(output)
    folder.check()
    _check_output(output, runs)
    content = site_of(list(_sources(runs)), title)
    files = how_many(folder.replace(site_files(content)), "file")
    records = how_many(len(content.records), "record")
    MESSAGES.note(f"wrote {output / 'index.html'}: {files}, {records}")


def capsule(
    runs: options.RunFiles,
    output: Annotated[Path, option("--output -o FILE.zip", "Archive to write.")],
    suite: Annotated[
        list[Path] | None,
        option(
            "--suite FILE.toml",
            "Suite that was run; default: the bundled suite named in the records, or one made from "
            "the records. Can be repeated.",
        ),
    ] = None,
    puzzle: Annotated[
        list[str] | None,
        option(
            "--puzzle FILE",
            "File of a puzzle that was run without a suite and is not in the catalogue. Can be "
            "repeated.",
            options.suggest_puzzles,
        ),
    ] = None,
    _allow_commands: options.AllowCommands = False,
) -> None:
    """Pack recorded runs with all that is needed to run them again.

    The archive holds the records, their suites and puzzle files, the versions of the packages, a
    description of the machine, and a script that runs everything again and compares the counts.
    """
    from dovetail.reports.capsule import capsule_archive

    if output.suffix.lower() != ".zip":
        raise ConfigError(f"-o {output}; expected the suffix .zip")
    records, _ = _read_runs(runs, output, [*(suite or []), *map(Path, puzzle or [])])
    write_whole(output, capsule_archive(records, suite or [], puzzle or []))
    MESSAGES.note(f"wrote {output}: {how_many(len(records), 'record')}")


def compare(
    old: Annotated[Path, argument("OLD.jsonl", "A file written by bench -o; - is standard input.")],
    new: Annotated[Path, argument("NEW.jsonl", "A later file of the same kind.")],
    fail_on: Annotated[
        list[Fault] | None,
        option(
            "--fail-on",
            "Also exit with status 1 for changed nodes, times that rose (by the rule above), "
            "unfinished runs, removed jobs or lower scores of improvements. Can be repeated.",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        option(
            "--tolerance PERCENT",
            "Treat costs that differ by less than this percentage as equal.",
            min=0.0,
        ),
    ] = 5.0,
    every_job: Annotated[
        bool, option("--all", "Show the costs of every job, not only of those that changed.")
    ] = False,
    form: Annotated[Literal["text", "md"], option("--format", "Output format.")] = "text",
    as_json: options.AsJson = False,
) -> None:
    """Compare two files of recorded runs.

    Compares counts by question, nodes and times by job, and scores of improvements by the median
    over seeds. A time counts as changed if the ranges of the repeats do not overlap and the medians
    differ by more than --tolerance. Times need at least three repeats in both files; use five when
    you compare many jobs.

    Exit status: 0 if nothing is wrong; 1 if counts changed or disagree, a count is wrong, a run
    that did not fail before now fails, or --fail-on applies; 2 if a file cannot be read or the
    files have no question in common.
    """
    from dovetail.harness.records.record_files import read_records
    from dovetail.harness.records.run_diff import diff_runs
    from dovetail.reports.diff import FileDiff, diff_fields, diff_page
    from dovetail.reports.rendering.terminal import print_page

    before, after = read_records(old), read_records(new)
    diff = diff_runs(before.records, after.records, tolerance / 100)
    if not diff.questions:
        raise _nothing_in_common(before, after)
    file_diff = FileDiff(old, new, tuple(_warnings([before, after])), diff)
    happened = {*diff.kinds, *([Fault.REMOVED] if diff.removed else [])}
    failed = diff.is_wrong or not happened.isdisjoint(fail_on or [])
    if as_json:
        print_lines(json.dumps({**diff_fields(file_diff), "failed": failed}))
    elif form == "md":
        print_text(_page_text(diff_page(file_diff, every_job=every_job), form))
    else:
        print_page(diff_page(file_diff, every_job=every_job))
    raise typer.Exit(EXIT_WRONG if failed else 0)


def _read_runs(
    runs: Sequence[Path], output: Path | None, others: Sequence[Path]
) -> tuple[list[Record], list[str]]:
    """Return the records of `runs` and the warnings about unreadable lines; print the warnings.

    Raises `ConfigError` if `output` is among the `runs` or the `others` that are read, and
    `FormatError` for a file without records.
    """
    from dovetail.harness.records.record_files import read_records

    if output is not None:
        _check_output(output, [*runs, *others])
    files = [read_records(path) for path in runs]
    return [record for file in files for record in file.records], _warnings(files)


def _sources(runs: Sequence[Path]) -> Iterator[SourceFile]:
    """Yield each file of records once, and print warnings about unreadable lines.

    Raises `FormatError` for a file without records.
    """
    from dovetail.files.text_file import STANDARD_INPUT, input_bytes
    from dovetail.harness.records.record_files import parse_file
    from dovetail.reports.site.content import SourceFile

    for path in {
        path.resolve() if path != STANDARD_INPUT else path: path for path in runs
    }.values():
        data = input_bytes(path)
        file = parse_file(data, path)
        _warnings([file])
        yield SourceFile(PIPED if path == STANDARD_INPUT else path.name, data, file)


def _check_output(output: Path, inputs: Sequence[Path]) -> None:
    """Raise `ConfigError` if `output` is an input, or a folder that contains an input."""
    from dovetail.files.text_file import STANDARD_INPUT

    for path in inputs:
        if path != STANDARD_INPUT and path.resolve().is_relative_to(output.resolve()):
            raise ConfigError(f"-o {output} would replace {path}, an input; expected another name")


def _check_suites(
    plans: Sequence[SuitePlan], records: Sequence[Record], runs: Sequence[Path]
) -> None:
    """Raise `ConfigError` if no record belongs to a job of the `plans`."""
    from dovetail.files.text_file import place_of

    if not any(record.job.digest in plan.jobs for record in records for plan in plans):
        names = ", ".join(plan.name for plan in plans)
        raise ConfigError(
            f"found no run of suite {names} as it is now in {', '.join(map(place_of, runs))}; the "
            "suite may have changed since the bench"
        )


def _format_of(output: Path, formats: Sequence[str]) -> str:
    """Return the format that the suffix of `output` names; the first format for standard output.

    Raises `ConfigError` for another suffix.
    """
    form = formats[0] if output == STANDARD_OUTPUT else output.suffix.lower().removeprefix(".")
    if form not in formats:
        suffixes = ", ".join(f".{form}" for form in formats)
        raise ConfigError(f"-o {output}; expected a suffix of {suffixes}, or --format")
    return form


def _page_text(page: Page, form: str) -> str:
    from dovetail.reports.rendering.html import page_html
    from dovetail.reports.rendering.markup import page_latex, page_markdown

    return {"html": page_html, "md": page_markdown, "tex": page_latex}[form](page)


def _warnings(files: Sequence[RecordFile]) -> list[str]:
    """Print and return the warnings about invalid lines."""
    warnings = [file.warning for file in files if file.warning is not None]
    for warning in warnings:
        complain(warning)
    return warnings


def _nothing_in_common(old: RecordFile, new: RecordFile) -> FormatError:
    """Return the error for two files without a common question; it names questions of `old`."""
    from dovetail.files.text_file import place_of
    from dovetail.harness.records.summary import by_question

    asked = list(by_question(old.records))
    named = list_first([shorten(printable(question.title)) for question in asked], MAX_NAMED)
    return FormatError(
        f"has no question in common with {place_of(old.path)}; expected some of {named}",
        place_of(new.path),
    )
