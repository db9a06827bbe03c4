"""The files of a benchmark for BenchExec: its definition, and its tasks with their puzzles.

A task (format 2.0 of task definitions) is a puzzle, a question, and the count that the suite
expects. A run definition is a solver with its settings and limits, and the tasks for this solver.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from xml.sax.saxutils import escape, quoteattr

from dovetail.backends.backend_file import BackendFile
from dovetail.errors import ConfigError, how_many
from dovetail.harness.planning.named import named_backend
from dovetail.harness.run.job import Job
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.puzzles.formats.registry import format_named

DEFINITION, PROPERTY, TASKS = "benchmark.xml", "count.prp", "tasks"
ABOUT_PROPERTY = "The number of solutions is the option `count` of the task.\n"
# Formats of puzzle files: for packings, for boards and for covers.
FORMATS = ("toml", "json", "knuth")
# Columns of the tables: fields of a record. A column that begins with @ is hidden.
COLUMNS = ("count", "nodes", "prepare_s", "solve_s", "@record")
HEAD = """<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN"
  "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
"""


def benchmark_files(plan: SuitePlan) -> tuple[list[tuple[str, bytes]], str | None]:
    """Return the files of a plan (path and content), and a message about runs that are left out.

    The file `PROPERTY` is not included. Improvements, trials, disassembly, programs and backends in
    files are left out. The message is None if no run is left out. Raises `ConfigError` if all runs
    are left out.
    """
    runs = [run for run in plan.jobs.values() if _is_count(run.job)]
    if not runs:
        raise ConfigError(f"{plan.name} has no run for BenchExec; expected counts by solvers")
    files = dict[str, str]()
    names = dict[object, str]()  # puzzle files by digest, and task files by question
    solvers = dict[tuple[str, ...], list[str]]()  # task files by the options of the solver
    for run in runs:
        puzzle, request = run.job.puzzle, run.job.request
        question = puzzle.digest, request.symmetry, request.labelled, run.expected
        if puzzle.digest not in names:
            written = next(filter(lambda each: each.is_for(puzzle), map(format_named, FORMATS)))
            names[puzzle.digest] = _new_name(puzzle.name, written.suffixes[0], names)
            files[f"{TASKS}/{names[puzzle.digest]}"] = written.text(puzzle)
        if question not in names:
            names[question] = _new_name(f"{puzzle.name}-{request.symmetry}", ".yml", names)
            files[f"{TASKS}/{names[question]}"] = _task(run, names[puzzle.digest])
        solvers.setdefault(tuple(_options(run.job)), []).append(names[question])
    files[DEFINITION] = "".join(_definition(plan.name, solvers))
    number = len(plan.jobs) - len(runs)
    left_out = f"left out: {how_many(number, 'run')} of improvers, trials, disassembly or programs"
    data = [(path, text.encode()) for path, text in files.items()]
    return data, left_out if number else None


def _is_count(job: Job) -> bool:
    is_plain = not (job.improves or job.trials or job.disassembles)
    if not is_plain or isinstance(job.backend, BackendFile):
        return False
    backend = named_backend(job.backend)
    return backend is None or not backend.needs_permission


def _new_name(words: str, suffix: str, names: Mapping[object, str]) -> str:
    """Return a file name that is made from `words` and `suffix`, and is not a value of `names`."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", words).lstrip("-.")
    possible = (f"{_numbered(stem, number)}{suffix}" for number in count(1))
    return next(name for name in possible if name not in names.values())


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _task(run: PlannedRun, file: str) -> str:
    """Return the task definition of a run as YAML; `file` is the name of its puzzle file."""
    request = run.job.request
    verdict = "" if run.expected is None else "\n    expected_verdict: true"
    options: dict[str, object] = {} if run.expected is None else {"count": run.expected}
    options |= {"symmetry": str(request.symmetry), "labelled": request.labelled}
    lines = "".join(f"  {key}: {json.dumps(value)}\n" for key, value in options.items())
    return (
        f"format_version: '2.0'\ninput_files: {json.dumps(file)}\n"
        f"properties:\n  - property_file: ../{PROPERTY}{verdict}\noptions:\n{lines}"
    )


def _options(job: Job) -> Iterator[str]:
    """Yield options of `dovetail count` for a job, each followed by its value.

    The options of the task (symmetry and `labelled`) are left out.
    """
    yield from ("-b", job.backend)
    for key, value in job.config.items():
        parts = value if isinstance(value, list | tuple) else [value]
        yield from ("-c", f"{key}={','.join(map(str, parts))}")
    for reduction in job.request.reductions:
        yield from ("--reduce", str(reduction))
    for trigger in job.request.triggers:
        yield from ("--trigger", str(trigger))
    time_s = job.limits.time_s
    limits = {
        # `parse_seconds` reads no powers of ten
        "--time-limit": None if time_s is None else f"{time_s:.9f}".rstrip("0").rstrip(".") + "s",
        "--node-limit": job.limits.nodes,
        "--limit": job.limits.solutions,
        "--memory-limit": job.limits.memory_bytes,
        "--seed": job.seed or None,
    }
    for word, value in limits.items():
        if value is not None:
            yield from (word, str(value))


def _definition(name: str, solvers: dict[tuple[str, ...], list[str]]) -> Iterator[str]:
    """Yield the parts of the benchmark definition."""
    yield f'{HEAD}<benchmark tool="dovetail.benchexec" displayName={quoteattr(name)}>\n'
    yield f"  <propertyfile>{PROPERTY}</propertyfile>\n  <columns>\n"
    for column in COLUMNS:
        key = column.removeprefix("@")
        yield f"    <column title={quoteattr(column)}>{key}</column>\n"
    yield "  </columns>\n"
    numbers = Counter[str]()
    for options, tasks in solvers.items():
        numbers[options[1]] += 1
        yield f'  <rundefinition name="{_numbered(options[1], numbers[options[1]])}">\n'
        for word, value in zip(options[::2], options[1::2], strict=True):
            yield f"    <option name={quoteattr(word)}>{escape(value)}</option>\n"
        yield "    <tasks>\n"
        for task in dict.fromkeys(tasks):
            yield f"      <include>{TASKS}/{task}</include>\n"
        yield "    </tasks>\n  </rundefinition>\n"
    yield "</benchmark>\n"
