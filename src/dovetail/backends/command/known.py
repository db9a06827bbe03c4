"""Definitions of programs that others maintain; each is a backend.

Those that list solutions come first.
"""

from __future__ import annotations

from pathlib import Path

from dovetail.backends.command.backend import KnownProgram
from dovetail.backends.command.definition import CommandConfig

_PROGRAMS = Path(__file__).with_name("programs")


def _package_version(python: str, package: str) -> tuple[str, ...]:
    """Return the command that prints the version of a package of Python."""
    code = f"from importlib.metadata import version; print('{package}', version('{package}'))"
    return (python, "-c", code)


def minizinc() -> KnownProgram:
    """Return Gecode, by the modelling language MiniZinc."""
    return KnownProgram(
        "the constraint solver Gecode by MiniZinc, exact cover or models of edge matching",
        CommandConfig(
            name="minizinc",
            command=(
                *("minizinc", "--solver", "gecode", "--all-solutions", "--statistics"),
                "{mzn}",
            ),
            solutions="printed",
            figures=tuple(
                f"{name}=mzn-stat: {name}=([0-9]+)"
                for name in ("nodes", "failures", "propagations")
            ),
            version=("minizinc", "--version"),
        ),
    )


def nucs() -> KnownProgram:
    """Return NUCS."""
    return KnownProgram(
        "the constraint solver NUCS, in a separate Python environment",
        CommandConfig(
            name="nucs",
            command=("nucs-python", str(_PROGRAMS / "nucs_solver.py"), "{opb}"),
            solutions="json",
            version=_package_version("nucs-python", "nucs"),
        ),
    )


def miniexact() -> KnownProgram:
    """Return miniexact."""
    return KnownProgram(
        "miniexact: dancing links with colours, in C",
        CommandConfig(
            name="miniexact",
            command=("miniexact", "-c", "-e", "{dlx}"),
            count="Found ([0-9]+) solutions",
            version=_package_version("{python}", "miniexact"),
            unsupported=("bounds",),
            exit_statuses=("0", "10", "20"),
        ),
        extra="miniexact",
    )


def d4() -> KnownProgram:
    """Return d4."""
    return KnownProgram(
        "the model counter d4, on clauses",
        CommandConfig(
            name="d4",
            command=("{python}", str(_PROGRAMS / "d4.py"), "{cnf}"),
            version=_package_version("{python}", "d4solver"),
        ),
        extra="d4",
        module="py_d4",
    )


def ganak() -> KnownProgram:
    """Return Ganak."""
    return KnownProgram(
        "the model counter Ganak, on clauses; its counts are probable",
        CommandConfig(
            name="ganak",
            command=("{python}", str(_PROGRAMS / "ganak.py"), "{cnf}"),
            version=_package_version("{python}", "pyganak"),
            probable=True,
        ),
        extra="ganak",
        module="pyganak",
    )
