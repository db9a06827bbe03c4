"""A puzzle explained: what goes for all kinds, around the rows of its own."""

from __future__ import annotations

from dovetail.harness.explanation.puzzle import BackendSupport, Explanation
from dovetail.reports.explain.edges import edge_rows
from dovetail.reports.explain.packing import packing_rows, reduction_rows
from dovetail.reports.explain.rows import row
from dovetail.reports.numbers import show_whole


def explain_puzzle(explained: Explanation) -> str:
    """Return the explanation of a puzzle as text, aspect by aspect."""
    packing, edges = explained.packing, explained.edges
    sizes = ", ".join(f"{show_whole(count)} {what}" for what, count in explained.sizes.items())
    lines = [f"{explained.puzzle}: {sizes}", *row("digest", explained.digest)]
    if packing is not None:
        lines += packing_rows(packing)
    if edges is not None:
        lines += edge_rows(edges)
    numbers = (f"{name} {number}" for name, number in explained.symmetries.items())
    lines += row("symmetries", ", ".join(numbers))
    if packing is not None:
        lines += reduction_rows(packing)
    lines += ["backends, with their defaults"]
    for support in explained.backends:
        lines += row(f"  {support.backend}", _support_text(support))
    return "\n".join(lines)


def _support_text(support: BackendSupport) -> str:
    if support.missing is not None:
        return f"not installed: {support.missing}"
    return "takes it" if support.refusal is None else f"refuses: {support.refusal}"
