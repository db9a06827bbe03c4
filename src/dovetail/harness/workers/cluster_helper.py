"""The workers of `--cluster local:N`: `python -m dovetail.harness.workers.cluster_helper`.

The process is sent the address of a scheduler and a number, keeps as many dask workers running,
and sends the number when they have started. Like any child process it ends with the command,
however that ends, and so does all that it has started.
"""

from __future__ import annotations

import asyncio
from typing import IO

HERE = "127.0.0.1"


async def _keep_workers(address: str, number: int, messages: IO[bytes]) -> None:
    from distributed import Nanny

    from dovetail.harness.workers.wire import send

    nannies = [
        Nanny(
            address,
            nthreads=1,
            host=HERE,
            protocol="tcp",
            dashboard_address=f"{HERE}:0",  # None would listen to every machine
            memory_limit=0,  # the kernel beside the worker holds the memory
        )
        for _ in range(number)
    ]
    await asyncio.gather(*nannies)
    send(messages, number)
    await asyncio.gather(*(nanny.finished() for nanny in nannies))


def _work(asked: tuple[str, int], messages: IO[bytes]) -> None:
    asyncio.run(_keep_workers(*asked, messages))


if __name__ == "__main__":  # a dask worker imports this module, and needs none of this
    from dovetail.harness.workers.child import serve

    serve(_work)
