"""What is said of the progress of a run or a bench where there is no terminal."""

from __future__ import annotations

from dovetail.harness.progress.run_progress import Fields, RunPhase

COMPILING = "loading and compiling kernels; later runs load them from the cache"


def compiling_s(fields: Fields) -> float:
    """Return how long a run, also one of a bench, has been importing and compiling; 0 if none."""
    phases = (RunPhase.STARTING, RunPhase.COMPILING)
    runs = fields.get("running", [fields])
    return max((run["elapsed_s"] for run in runs if run["phase"] in phases), default=0.0)


def last_line(fields: Fields) -> str | None:
    """Return how many runs of a bench are done in the end; None for a single run."""
    if "planned" not in fields:
        return None
    failed = f", {fields['failed']} FAILED" if fields["failed"] else ""
    return f"{fields['done']} of {fields['planned']} runs done{failed}"
