"""Work in threads, so that the server answers others meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

MAX_HEAVY = 2  # at a time: each may hold much memory

Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")


class HeavyWork:
    """Runs what takes longer than an instant, a few at a time; made where an event loop runs."""

    def __init__(self) -> None:
        self._limiter: CapacityLimiter | None = None

    async def run(
        self,
        work: Callable[Arguments, ResultT],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ResultT:
        """Return what `work` returns for these arguments, done in a thread in its turn."""
        if self._limiter is None:
            self._limiter = CapacityLimiter(MAX_HEAVY)
        return await run_sync(partial(work, *args, **kwargs), limiter=self._limiter)
