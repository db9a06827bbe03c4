"""The lists of kernels that backends compile to warm up: what should be in them.

`cd tests && PYTHONPATH=. python jit/kernel_lists.py` writes them anew.
"""

from __future__ import annotations

from typing import Any

from dovetail.backends.base import AnyBackend
from dovetail.backends.registry import backends
from dovetail.jit.cache import cache_directory, source_digest
from dovetail.jit.decorator import Kernel
from dovetail.machine_code.start import ArgumentType, code_path, flatten, text_of
from dovetail.machine_code.two_processes import ListedKernel


def backends_with_lists() -> dict[str, AnyBackend]:
    """By name."""
    return {name: one for name, one in backends().items() if one.kernel_list is not None}


def warmed_up(backend: AnyBackend) -> dict[ListedKernel, int]:
    """What a backend calls to warm up, and how many bytes of machine code each kernel has."""
    found: dict[ListedKernel, int] = {}
    call = Kernel.__call__

    def recording(self: Kernel, *arguments: Any) -> Any:
        types: list[ArgumentType] = []
        for argument in arguments:
            flatten(argument, types, [])
        returned = call(self, *arguments)
        function, directory = self._function, cache_directory()
        name, source = (
            f"{function.__module__}.{function.__qualname__}",
            source_digest(function.__code__),
        )
        assert directory is not None
        assert source is not None
        path = code_path(directory, name, source, text_of(types))
        found[ListedKernel(name, text_of(types))] = path.stat().st_size
        return returned

    Kernel.__call__ = recording  # type: ignore[method-assign] # for the time of the block
    try:
        backend.warm_up()
    finally:
        Kernel.__call__ = call  # type: ignore[method-assign]
    return found


def main() -> None:
    """Write the lists, the largest code first: it takes longest to compile."""
    for backend in backends_with_lists().values():
        sizes = warmed_up(backend)
        assert backend.kernel_list is not None
        lines = sorted(sizes, key=lambda kernel: (-sizes[kernel], kernel))
        backend.kernel_list.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
