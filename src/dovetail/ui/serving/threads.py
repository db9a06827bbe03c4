"""Work in threads, so that the server can answer other requests meanwhile."""

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

AT_A_TIME = 2  # few, because each call may need much memory
CHECK_EVERY_S = 0.1

Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")


class HeavyWork:
    """Runner of calls in threads, `at_a_time` at once; other calls wait for their turn.

    The end of the process does not wait for the threads.
    """

    def __init__(self, at_a_time: int = AT_A_TIME) -> None:
        self._turns = asyncio.Semaphore(at_a_time)

    async def run(
        self,
        work: Callable[Arguments, ResultT],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ResultT:
        """Run `work` in a thread when its turn comes, and return its result.

        If the caller is cancelled, waiting work is not started; work that has started goes on and
        keeps its turn until it ends.
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
            with suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._turns.release)

        Thread(target=settle, daemon=True).start()
        return await asyncio.shield(asyncio.wrap_future(future))

    async def run_for(self, _: Request, work: Callable[..., ResultT], *args: object) -> ResultT:
        """Run `work` for a request, even if the client disconnects meanwhile."""
        return await self.run(work, *args)


class SlowWork:
    """Runner of calls that take seconds for one request, `at_a_time` at once."""

    def __init__(self, is_closing: Callable[[], bool], at_a_time: int = AT_A_TIME) -> None:
        self._is_closing, self._heavy = is_closing, HeavyWork(at_a_time)

    async def run_for(
        self,
        request: Request,
        work: Callable[..., ResultT],
        *args: object,
        on_leave: Callable[[], None] = lambda: None,
    ) -> ResultT:
        """Run `work` in a thread when its turn comes, and return its result.

        Raises `RequestError` (status 503) if the client disconnects or the server ends. Waiting
        work is then not started, and `on_leave` is called to end work that has started.
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
            raise RequestError("stopped: the client disconnected or the server ends", status=503)
        finally:
            leaving.cancel()
            working.cancel()


async def _left(request: Request) -> None:
    """Return when the client has disconnected; the request's content must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
