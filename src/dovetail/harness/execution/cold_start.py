"""Runs that begin with an empty cache of compiled kernels: what a new user waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from dovetail.harness.run.job import Job

# What `dovetail.jit` reads, which imports numba, and what numba reads for the kernels of xcover.
CACHE_VARIABLES = ("DOVETAIL_CACHE_DIR", "NUMBA_CACHE_DIR")
PREFIX = "dovetail-cold-"


@contextmanager
def environment_of(job: Job) -> Iterator[Mapping[str, str]]:
    """Yield the variables that the child process of a job needs beside those of this process.

    For a cold start they name the folder of an empty cache, which is deleted on leaving, or at the
    latest when this process ends in order. Raises `OSError` when the folder cannot be created.
    """
    if not job.cold_start:
        yield {}
        return
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        yield dict.fromkeys(CACHE_VARIABLES, folder)
