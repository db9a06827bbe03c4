"""Capsules: ZIP files with recorded runs and with all that is needed to repeat the runs.

A capsule holds `runs.jsonl`, a folder `suites` with the suite files and their puzzle files,
`requirements.txt`, the script `again.sh`, and `README.md`, which describes the other files.
"""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from dovetail.backends.backend_file import BackendFile, path_and_class
from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.extras import DISTRIBUTION
from dovetail.files.text_file import TextFile, input_bytes
from dovetail.files.validation import read_table
from dovetail.harness.planning.named import named_backend
from dovetail.harness.records.record import Record, grouped
from dovetail.harness.run.job import Limits
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.sections import Suite, numbered
from dovetail.harness.suite.suite_file import bundled_suites, read_suite
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.loading import Reference, is_file
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.results.provenance import provenance_section

RUNS, AGAIN, SUITES = "runs.jsonl", "again.jsonl", "suites"
SCRIPT_NAME, REQUIREMENTS = "again.sh", "requirements.txt"
# The time of all files in an archive, so that equal contents give equal archives.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
SCRIPT = """#!/bin/sh
# Runs the benchmarks again and compares their counts with runs.jsonl. DOVETAIL is the command to
# use; by default, dovetail on the search path.
set -eu
cd "$(dirname "$0")"
dovetail=${{DOVETAIL:-dovetail}}
{benches}
"$dovetail" compare {runs} {again}
"""
ABOUT = "Recorded runs with everything that is needed to run them again."


@dataclass
class BundledSuite:
    """A suite in a capsule."""

    plan: SuitePlan
    # Contents of the suite file and its puzzle files, by their paths in the folder `suites`.
    files: dict[str, bytes]
    # Options of the command `bench` for the suite file, which is the first of `files`.
    options: list[str] = field(default_factory=list)

    @property
    def bench(self) -> str:
        """The line of the script that runs the suite."""
        name = f"{SUITES}/{next(iter(self.files))}"
        words = shlex.join([name, "-o", AGAIN, *self.options])
        return f'"$dovetail" bench {words}'


def capsule_archive(
    records: Sequence[Record], suites: Iterable[Path], puzzle_files: Iterable[str]
) -> bytes:
    """Return a ZIP file with the records and with all files that repeat the runs.

    A record belongs to the suite in `suites`, or the bundled suite, with the name in the record.
    If there is no such suite, or if the suite lacks jobs of the records, suites are made from the
    records: one for each seed and number of repeats. The puzzles of these suites are in the
    catalogue or in `puzzle_files`. Equal arguments give equal bytes.

    Raises `ConfigError` for a puzzle that is neither in the catalogue nor in `puzzle_files`, for
    two different files with the same name, for a suite that names files outside its folder, and for
    a job that a suite cannot express.
    """
    named = {plan.name: (path, plan) for path in suites for plan in [read_suite(path)]}
    bundled: list[BundledSuite] = []
    for name, members in grouped(records, lambda record: record.suite).items():
        path, plan = named.get(name or "", (bundled_suites().get(name or ""), None))
        if path is not None and (found := _named_suite(path, plan, members)) is not None:
            bundled.append(found)
        else:
            bundled += _made_suites(members, list(puzzle_files), first=len(bundled) + 1)
    for suite in bundled:
        if any(
            not run.job.improves and _needs_permission(run.job.backend) for run in suite.plan.runs
        ):
            suite.options.append("--allow-commands")
    contents = {
        "README.md": _readme(records, bundled).encode(),
        RUNS: "".join(json.dumps(record.json_fields()) + "\n" for record in records).encode(),
        REQUIREMENTS: _requirements(records).encode(),
        SCRIPT_NAME: SCRIPT.format(
            benches="\n".join(suite.bench for suite in bundled), runs=RUNS, again=AGAIN
        ).encode(),
    }
    for suite in bundled:
        for name, data in suite.files.items():
            if contents.setdefault(f"{SUITES}/{name}", data) != data:
                raise ConfigError(
                    f"two suites have different files {name}; rename one of the files"
                )
    return _archive(contents)


def _named_suite(
    path: Path, plan: SuitePlan | None, records: Sequence[Record]
) -> BundledSuite | None:
    """Return the suite in a file, with `--cold` if need be; None if it lacks a job of the records.

    `plan` is the plan of the suite; None to read it from the file.
    """
    plan = plan or read_suite(path)
    jobs = {record.job.digest for record in records}
    for options in ([], ["--cold"]):
        if jobs <= set((plan.with_cold_starts() if options else plan).jobs):
            return BundledSuite(plan, {path.name: path.read_bytes(), **_named_files(path)}, options)
    return None


def _named_files(path: Path) -> dict[str, bytes]:
    """Return the contents of the puzzle files and solver files that a suite names, by path.

    Raises `ConfigError` for a file outside the folder of the suite.
    """
    suite = read_table(TextFile(path), Suite)
    contents: dict[str, bytes] = {}
    solvers = (path_and_class(section.file)[0] for section in suite.backend if section.file)
    puzzles = (numbered(name) for run in suite.run for name in run.puzzles)
    for name in chain(solvers, *puzzles):
        for folder in (path.parent, Path()):
            reference = Reference(folder / name) if is_file(folder / name) else None
            if reference is None or reference.file is None:
                continue
            place = PurePosixPath(name).with_name(reference.file.path.name)  # without #N
            if place.is_absolute() or ".." in place.parts:
                raise ConfigError(
                    f"{path} names {shorten(name)!r}; expected files in the folder of the suite"
                )
            contents[str(place)] = input_bytes(reference.file.path)
            break
    return contents


def _made_suites(
    records: Sequence[Record], puzzle_files: Sequence[str], first: int
) -> Iterator[BundledSuite]:
    """Yield a suite for each seed and number of repeats, with the jobs of the records."""
    runs: dict[str, list[Record]] = grouped(records, lambda record: record.job.digest)
    jobs = grouped(
        [members[0] for members in runs.values()],
        lambda record: (
            0 if record.job.improves else record.job.seed or 0,
            1 + max(run.repeat for run in runs[record.job.digest]),
        ),
    )
    for number, ((seed, repeats), members) in enumerate(jobs.items(), start=first):
        files: dict[str, bytes] = {}
        names = {
            record.job.puzzle_digest: _puzzle_name(record, puzzle_files, files)
            for record in members
        }
        tables: list[Mapping[str, object]] = [
            _section(record, names[record.job.puzzle_digest]) for record in members
        ]
        head = {"name": f"runs-{number}", "repeats": repeats, "seed": seed}
        text = "\n".join([_toml(head), *(f"[[run]]\n{_toml(table)}" for table in tables)])
        files = {f"runs-{number}.toml": text.encode(), **files}
        yield BundledSuite(_checked_plan(files, members), files)


def _puzzle_name(record: Record, puzzle_files: Sequence[str], files: dict[str, bytes]) -> str:
    """Return the name of a record's puzzle for a suite; add the puzzle's file to `files`."""
    name, digest = record.job.puzzle, record.job.puzzle_digest
    with suppress(ConfigError, PuzzleError):  # a name may fit a pattern with impossible sizes
        if catalogue_puzzle(name).digest == digest:
            return name
    for file in puzzle_files:
        reference = Reference(file)
        puzzles: tuple[Puzzle, ...] = reference.puzzles()
        for number, puzzle in enumerate(puzzles, start=1):
            if reference.file is not None and puzzle.digest == digest:
                path = reference.file.path
                place = f"puzzles/{path.name}"
                if files.setdefault(place, path.read_bytes()) != path.read_bytes():
                    raise ConfigError(f"two puzzle files are called {path.name}; rename one")
                given = Path(file).name.removeprefix(path.name)
                return place + (given or (f"#{number}" if len(puzzles) > 1 else ""))
    raise ConfigError(
        f"the puzzle {shorten(name)!r} is neither in the catalogue nor in a file of --puzzle; "
        "expected --puzzle FILE"
    )


def _section(record: Record, puzzle: str) -> dict[str, object]:
    """Return the table `[[run]]` of a suite that makes the job of a record.

    Raises `ConfigError` for a backend in a file.
    """
    job, limits, file = record.job, record.job.limits or Limits(), record.result.program.get("file")
    if file is not None:
        raise ConfigError(
            f"{job.backend} ran from {file}; expected --suite FILE that names the file"
        )
    held: dict[str, object] = {
        key: getattr(limits, key) for key in ("nodes", "solutions", "time_s")
    }
    held["memory"] = None if limits.memory_bytes is None else str(limits.memory_bytes)
    table: dict[str, object] = {
        "puzzles": [puzzle],
        "improvers" if job.improves else "backends": [job.backend],
        "seeds": [job.seed] if job.improves else None,
        "objective": job.objective if job.improves else None,
        "config": {job.backend: dict(job.config)} if job.config else None,
        "tags": record.tags,
        "symmetry": None if job.improves else job.symmetry,
        "labelled": job.labelled,
        "reduce": job.reductions,
        "triggers": job.triggers,
        "trials": job.trials and vars(job.trials),
        "cold": job.cold_start,
        "disassemble": job.disassembles,
        "limits": {key: value for key, value in held.items() if value is not None},
    }
    for key in ("expected", "best_known"):
        if getattr(record, key) is not None:
            table[key] = {job.puzzle: getattr(record, key)}
    return {key: value for key, value in table.items() if value}


def _toml(table: Mapping[str, object]) -> str:
    """Return a table as lines of TOML; tables within it are inline."""
    return "".join(f"{_member(key, value)}\n" for key, value in table.items())


def _member(key: str, value: Any) -> str:
    bare = re.fullmatch(r"[A-Za-z0-9_-]+", key)
    return f"{key if bare else json.dumps(key, ensure_ascii=False)} = {_toml_value(value)}"


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_member(key, member) for key, member in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _checked_plan(files: Mapping[str, bytes], records: Sequence[Record]) -> SuitePlan:
    """Return the plan of a suite made from records; raise `ConfigError` if it lacks a job."""
    with TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        plan = read_suite(Path(folder, next(iter(files))))
    for record in records:
        if record.job.digest not in plan.jobs:
            raise ConfigError(
                f"the run of {shorten(record.job.puzzle)!r} with {record.job.backend} cannot be "
                "made again from its record; expected --suite FILE with the suite that was run"
            )
    return plan


def _needs_permission(backend: str) -> bool:
    found = named_backend(backend)
    is_file = isinstance(backend, BackendFile)
    return is_file or (found is not None and found.needs_permission)


def _requirements(records: Sequence[Record]) -> str:
    """Return the versions of the packages of the last record, as pip reads them."""
    versions = dict(records[-1].environment.versions)
    own_version = versions.pop("dovetail", None)
    python = versions.pop("python", None)
    commit = records[-1].environment.commit
    lines = [
        f"# Python {python or 'not recorded'}; dovetail {own_version or 'not recorded'}"
        f"{f', commit {commit}' if commit else ''}",
        *([] if own_version is None else [f"{DISTRIBUTION}=={own_version}"]),
        *(f"{package}=={version}" for package, version in versions.items() if version is not None),
    ]
    return "\n".join(lines) + "\n"


def _readme(records: Sequence[Record], suites: Sequence[BundledSuite]) -> str:
    """Return a page on the contents of a capsule and the commands that use it."""
    paragraphs = [
        f"{RUNS} holds the records, {SUITES} the suites that make the runs, {REQUIREMENTS} the "
        "versions of the packages.",
        f"To run everything again and compare the counts: sh {SCRIPT_NAME}. The exit status is 1 "
        "if a count differs. Times depend on the machine, which is described below.",
        f"For a page of results: dovetail report {RUNS} -o report.html.",
    ]
    if any("--allow-commands" in suite.options for suite in suites):
        paragraphs.append(
            "The suites run programs, which must be installed separately, or Python files."
        )
    how = Section("again", "Contents", paragraphs)
    title = "Runs of " + ", ".join(dict.fromkeys(suite.plan.name for suite in suites))
    return page_markdown(Page(title, [how, provenance_section(records)], ABOUT))


def _archive(contents: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file with these files, in their order; the script is executable."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            member = zipfile.ZipInfo(name, ZIP_TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o755 if name == SCRIPT_NAME else 0o644) << 16
            archive.writestr(member, data)
    return stream.getvalue()
