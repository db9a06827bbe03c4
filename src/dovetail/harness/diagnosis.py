"""Checks of `dovetail doctor`: the installation, the kernel cache and the backends."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dovetail.backends.command.search import commands_refusal
from dovetail.backends.registry import backends, not_installed
from dovetail.backends.registry import registry as backend_registry
from dovetail.harness.contract.check_backend import check_backend
from dovetail.harness.contract.checks import SELF_TEST
from dovetail.harness.contract.subject import CheckVerdict, Judgement
from dovetail.improvers.registry import registry as improver_registry
from dovetail.models.formulations.registry import registry as formulation_registry
from dovetail.puzzles.formats.registry import registry as format_registry


@dataclass(frozen=True)
class KernelCache:
    """The cache of compiled kernels."""

    # Folder of the cache; None if no folder can be written.
    directory: Path | None
    # Number of compiled kernels. If it is 0, the first search compiles for some seconds.
    kernels: int
    size_bytes: int
    # Number of cache folders of other versions, which can be deleted.
    stale: int


def broken_plugins() -> dict[str, str]:
    """Return the reason why each broken plugin is ignored, by the name of its entry point."""
    registries = (
        backend_registry(),
        format_registry(),
        formulation_registry(),
        improver_registry(),
    )
    return {name: why for registry in registries for name, why in registry.broken.items()}


def backend_states() -> dict[str, str | None]:
    """Return for each backend the reason why it cannot run, or None if it is ready."""
    return {
        name: not_installed(backend) or (commands_refusal() if backend.needs_permission else None)
        for name, backend in backends().items()
    }


def kernel_cache() -> KernelCache:
    """Return the state of the kernel cache."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the caller reports a cache that cannot be written
        from dovetail.jit import CODE_SUFFIX, cache_directory

        directory = cache_directory()
    if directory is None:
        return KernelCache(None, 0, 0, 0)
    others = [path for path in directory.parent.glob("kernels-*") if path != directory]
    sizes: dict[Path, int] = {}
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError):  # a temporary file that another process has renamed
            sizes[path] = path.is_file() and path.stat().st_size
    kernels = sum(path.suffix == CODE_SUFFIX for path in sizes)
    return KernelCache(directory, kernels, sum(sizes.values()), len(others))


def self_test() -> Iterator[CheckVerdict]:
    """Run the checks `SELF_TEST` on every backend that is ready, and yield the verdicts.

    Refusals are left out, except for the first refusal of a backend that refuses every check.
    """
    for name, needs in backend_states().items():
        if needs is not None:
            continue
        refusals = []
        takes_any = False
        for verdict in check_backend(name, SELF_TEST):
            if verdict.judgement == Judgement.REFUSED:
                refusals.append(verdict)
            else:
                takes_any = True
                yield verdict
        if not takes_any:
            yield refusals[0]
