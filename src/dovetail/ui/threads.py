"""Work in threads, so that the server answers others meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import ParamSpec, TypeVar

from starlette.requests import Request

from dovetail.ui.requests import RequestError

AT_A_TIME = 2  # each may hold much memory
CHECK_EVERY_S = 0.1

Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")


class HeavyWork:
    """Runs what takes longer than an instant, so many at a time; others wait for their turn.

    Nobody waits for a thread when the process ends.
    """

    def __init__(self, at_a_time: int = AT_A_TIME) -> None:
        self._turns = asyncio.Semaphore(at_a_time)

    async def run(
        self,
        work: Callable[Arguments, ResultT],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ResultT:
        """Return what `work` returns for these arguments, done in a thread in its turn.

        If this is cancelled, work that waits is not begun; work that has begun goes on, and the
        turn is its own until it ends.
        """
        await self._turns.acquire()
        future, loop = Future[ResultT](), asyncio.get_running_loop()

        def settle() -> None:
            try:
                result = work(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._turns.release)

        Thread(target=settle, daemon=True).start()
        return await asyncio.shield(asyncio.wrap_future(future))


class SlowWork:
    """Runs what may take seconds or more for whoever waits for it, so many at a time."""

    def __init__(self, is_closing: Callable[[], bool], at_a_time: int = AT_A_TIME) -> None:
        self._is_closing, self._heavy = is_closing, HeavyWork(at_a_time)

    async def run_for(
        self,
        request: Request,
        work: Callable[..., ResultT],
        *args: object,
        on_leave: Callable[[], None] = lambda: None,
    ) -> ResultT:
        """Return what `work` returns for these arguments, done in a thread in its turn.

        Raises `RequestError` (status 503) when whoever sent the request has gone or the server
        ends: work that waits is not begun, and `on_leave` is called, to end what has begun.
        """
        working = asyncio.ensure_future(self._heavy.run(partial(work, *args)))
        leaving = asyncio.ensure_future(_left(request))
        try:
            while not (working.done() or leaving.done() or self._is_closing()):
                await asyncio.wait(
                    [working, leaving],
                    timeout=CHECK_EVERY_S,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            if working.done():
                return working.result()
            on_leave()
            raise RequestError("it was given up: nobody waits, or the server ends", status=503)
        finally:
            leaving.cancel()
            working.cancel()


async def _left(request: Request) -> None:
    """Return when whoever sent a request, whose content has been read, is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
