"""What `dovetail doctor` looks at: the installation, the kernel cache, a run of each backend."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dovetail.backends.command.permission import commands_refusal
from dovetail.backends.registry import backends, not_installed
from dovetail.backends.registry import registry as backend_registry
from dovetail.harness.contract.check_backend import check_backend
from dovetail.harness.contract.checks import SELF_TEST
from dovetail.harness.contract.subject import CheckVerdict, Judgement
from dovetail.puzzles.formats.registry import registry as puzzle_format_registry
from dovetail.puzzles.formats.solutions.registry import registry as solution_format_registry


@dataclass(frozen=True)
class KernelCache:
    """Where compiled kernels are kept. `directory` is None when nowhere can be written.

    `kernels` is how many are kept for this version; none: the first search compiles for some
    seconds. `stale` counts the folders of other versions beside it, which can be deleted.
    """

    directory: Path | None
    kernels: int
    size_bytes: int
    stale: int


def broken_plugins() -> dict[str, str]:
    """Why plugins are ignored, by the names of their entry points: backends, then formats."""
    registries = (backend_registry(), puzzle_format_registry(), solution_format_registry())
    return {name: why for registry in registries for name, why in registry.broken.items()}


def backend_states() -> dict[str, str | None]:
    """Each backend with what it needs before it can run, None if it is ready."""
    return {
        name: not_installed(backend) or (commands_refusal() if backend.needs_permission else None)
        for name, backend in backends().items()
    }


def kernel_cache() -> KernelCache:
    """The state of the kernel cache."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unwritable cache is reported below
        from dovetail.jit import CODE_SUFFIX, cache_directory

        directory = cache_directory()
    if directory is None:
        return KernelCache(None, 0, 0, 0)
    files = [path for path in directory.rglob("*") if path.is_file()]
    others = [path for path in directory.parent.glob("kernels-*") if path != directory]
    kernels = sum(path.suffix == CODE_SUFFIX for path in files)
    return KernelCache(directory, kernels, sum(path.stat().st_size for path in files), len(others))


def self_test() -> Iterator[CheckVerdict]:
    """Run every backend that is ready on small puzzles of the kinds that it takes.

    Yields the verdicts on what it does not refuse, or its first refusal where it takes none.
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
