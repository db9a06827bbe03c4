"""Result files of BenchExec: XML, also compressed with bzip2 or gzip, as fields of records.

A run has a record if its column `record` contains the output of `dovetail count --json`; the
benchmark definitions of `dovetail convert` have this column. Each run prints a record before its
search begins, so that a run that was killed also has a record. The figures that BenchExec measured
are added to `native`. Format: result.dtd of BenchExec 3.
"""

from __future__ import annotations

import bz2
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dovetail.errors import FormatError
from dovetail.files.text_file import GZIP_MAGIC, LARGEST_FILE_BYTES, TextFile, place_of
from dovetail.files.xml_tree import Element, read_xml
from dovetail.harness.records.record import SCHEMA
from dovetail.models.outcome import Status

BZIP2_MAGIC = b"BZh"
# Statuses of runs that BenchExec has stopped, by the beginning of BenchExec's status.
STOPPED = {"TIMEOUT": Status.TIME_LIMIT, "OUT OF MEMORY": Status.MEMORY_LIMIT}
# Names in `native` of the figures that BenchExec measured, by the titles of their columns.
MEASURED = {"cputime": "cputime_s", "walltime": "walltime_s", "memory": "memory_bytes"}
WRONG = "BenchExec: the count is not the known count of the task"


def benchexec_runs(data: bytes, path: Path) -> list[tuple[str, list[dict[str, Any]]]] | None:
    """Return the name and status of each run in a file, and a list with the fields of its record.

    The list is empty for a run without a record. Returns None if the file is not a result file of
    BenchExec. Raises `FormatError` for a damaged file and for a file that is too large.
    """
    if data.startswith(BZIP2_MAGIC):
        unpacker = bz2.BZ2Decompressor()
        with suppress(OSError):
            data = unpacker.decompress(data, LARGEST_FILE_BYTES)
        if not unpacker.eof:
            problem = f"damaged, or unpacks to more than {LARGEST_FILE_BYTES:,} bytes"
            raise FormatError(f"the compressed file is {problem}", place_of(path))
    if not data.startswith((GZIP_MAGIC, b"<")):
        return None
    file = TextFile(path, data)
    if not re.match(r"(<\?xml[^>]*>)?\s*(<!DOCTYPE[^>[]*>)?\s*<result\s[^>]*tool=", file.text):
        return None
    file.lines = re.sub(r"<!DOCTYPE[^>[]*>", "", file.text, count=1).split("\n")
    return list(_runs(read_xml(file)))


def _runs(root: Element) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    common = {
        "schema": SCHEMA,
        "repeat": 0,
        "suite": root.attributes.get("displayName") or root.attributes.get("benchmarkname"),
        "machine": _machine(root),
        "versions": {"dovetail": root.attributes.get("version")},
    }
    for run in root.all("run"):
        columns = {
            column.attributes.get("title", ""): column.attributes.get("value", "")
            for column in run.all("column")
        }
        name = run.attributes.get("name", "")
        yield f"{name}: {columns.get('status', 'not run')}", list(_record(columns, common))


def _record(columns: Mapping[str, str], common: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the fields of the record of a run, or nothing if the run has no record.

    `common` has the fields that are the same for all runs.
    """
    fields = None
    with suppress(KeyError, ValueError, RecursionError):
        fields = json.loads(columns["record"])
    if not isinstance(fields, dict):
        return
    native = fields.get("native")
    fields["native"] = {**(native if isinstance(native, dict) else {}), **_measured(columns)}
    verdict, category = columns.get("status", ""), columns.get("category")
    if fields.get("status") == Status.INTERRUPTED and verdict:
        stopped = (status for words, status in STOPPED.items() if verdict.startswith(words))
        fields |= {"status": next(stopped, Status.FAILED), "reason": f"BenchExec: {verdict}"}
        fields["solve_s"] = fields["total_s"] = fields["native"].get("walltime_s", 0.0)
    if category == "correct":
        fields["expected"] = fields.get("count")
    elif category == "wrong":
        fields |= {"status": Status.WRONG, "reason": WRONG}
    begun = None
    with suppress(ValueError):
        started = datetime.fromisoformat(columns.get("starttime", ""))
        begun = started.astimezone(UTC).isoformat(timespec="seconds")
    yield {**fields, **common, "begun": begun}


def _measured(columns: Mapping[str, str]) -> dict[str, float]:
    """Return the figures that BenchExec measured for the whole process."""
    numbers = {
        name: re.fullmatch(r"(\d{1,30}(?:\.\d{1,30})?)[sB]?", columns.get(title, ""))
        for title, name in MEASURED.items()
    }
    return {
        name: int(float(match[1])) if name.endswith("_bytes") else float(match[1])
        for name, match in numbers.items()
        if match
    }


def _machine(root: Element) -> dict[str, Any]:
    parts = {
        tag: element.attributes
        for info in root.all("systeminfo")
        for tag in ("os", "cpu", "ram")
        for element in info.all(tag)
    }
    cores = parts.get("cpu", {}).get("cores", "")
    size = parts.get("ram", {}).get("size", "").removesuffix("B")
    return {
        "processor": parts.get("cpu", {}).get("model"),
        "cores": int(cores) if cores.isdecimal() else None,
        "memory_bytes": int(size) if size.isdecimal() else None,
        "system": parts.get("os", {}).get("name"),
    }
