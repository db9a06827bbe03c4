"""The tool-info module of BenchExec: `<benchmark tool="dovetail.benchexec">`.

The tool runs `dovetail count --json OPTIONS TASK`. A task definition has the known `count` of its
puzzle as an option, because a verdict of BenchExec is only true or false. An exhausted run is true
if its count is the known count. A column may be any field of a run record. The column `@record` has
the whole record. `dovetail report` reads this column from the result XML.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2

from dovetail.cli.process import JOB_FIRST

CACHE = "DOVETAIL_CACHE_DIR"
RECORD = "record"
# Share of BenchExec's limits at which a run without its own limits stops and prints its result.
OWN_SHARE = 0.9
# Results of runs without a verdict, by their status; any other status is itself the result.
RESULTS = {
    "exhausted": result.RESULT_DONE,
    "solution-limit": result.RESULT_DONE,
    "node-limit": result.RESULT_UNKNOWN,
    "interrupted": result.RESULT_ERROR,
    "time-limit": "TIMEOUT",
    "memory-limit": "OUT OF MEMORY",
}


class Tool(BaseTool2):  # type: ignore[misc]
    """The command `dovetail count`."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, ...], int] = {}  # known counts by command line

    def name(self) -> str:
        """Return the name of the tool."""
        return "Dovetail"

    def executable(self, tool_locator: Any) -> str:
        """Return the path of the command."""
        return str(tool_locator.find_executable("dovetail"))

    def version(self, executable: str) -> str:
        """Return the version of the command."""
        return str(self._version_from_tool(executable, line_prefix="dovetail"))

    def environment(self, executable: str) -> dict[str, dict[str, str]]:  # noqa: ARG002
        """Return variables that name the user's cache of kernels and ask for early records.

        A container has another home folder, so a run there would not find the cache by itself. An
        early record is printed before the run, in case the run is killed.
        """
        user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        folder = os.environ.get(CACHE) or os.path.join(user, "dovetail")
        return {"newEnv": {CACHE: folder, JOB_FIRST: "1"}}

    def cmdline(
        self, executable: str, options: Sequence[str], task: Any, rlimits: Any
    ) -> list[str]:
        """Return the command line of a run with the options of its task; store the known count."""
        question = dict(task.options or {})
        words = [executable, "count", "--json", *options]
        seconds = [limit for limit in (rlimits.cputime, rlimits.walltime) if limit]
        if seconds and "--time-limit" not in options:
            words += ["--time-limit", f"{OWN_SHARE * min(seconds):.3f}s"]
        if rlimits.memory and "--memory-limit" not in options:
            words += ["--memory-limit", str(int(OWN_SHARE * rlimits.memory))]
        if "symmetry" in question:
            words += ["--symmetry", str(question["symmetry"])]
        if question.get("labelled"):
            words.append("--labelled")
        words.append(task.single_input_file)
        if "count" in question:
            self._counts[tuple(words)] = int(question["count"])
        return words

    def determine_result(self, run: Any) -> str:
        """Return the verdict if the run is exhausted and the count is known, else the result.

        A run without a complete record has the result `ERROR`.
        """
        record = _record(run.output)
        if record is None:
            return str(result.RESULT_ERROR)
        known = self._counts.get(tuple(run.cmdline))
        if record["status"] == "exhausted" and known is not None:
            is_right = record["count"] == known
            return str(result.RESULT_TRUE_PROP if is_right else result.RESULT_FALSE_PROP)
        return str(RESULTS.get(record["status"], record["status"]))

    def get_value_from_output(self, output: Iterable[str], identifier: str) -> str | None:
        """Return a field of the record, or the whole record, as text; None if it is missing."""
        record = _record(output)
        value = record if identifier == RECORD else (record or {}).get(identifier)
        return None if value is None else value if isinstance(value, str) else json.dumps(value)


def _record(output: Iterable[str]) -> dict[str, Any] | None:
    """Return the last record in the output of a command; None if it is missing or incomplete."""
    for line in reversed(list(output)):
        if line.startswith('{"job"'):
            try:
                fields = json.loads(line)
            except ValueError:
                return None
            return fields if {"status", "count"} <= fields.keys() else None
    return None
