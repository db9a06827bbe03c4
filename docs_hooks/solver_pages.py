"""Fill in the list of solvers' pages: each registered backend, then its further pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dovetail.harness.planning.named import backend_names

SECTION = "All solvers"


def on_config(config: Any) -> Any:
    """Put the pages into their section of the navigation."""
    (section,) = (part["Solvers"] for part in config.nav if "Solvers" in part)
    (entry,) = (part for part in section if isinstance(part, dict) and SECTION in part)
    folder = Path(config.docs_dir) / "solvers"
    entry[SECTION] = [page for name in backend_names() for page in pages(folder, name)]
    return config


def pages(folder: Path, name: str) -> list[dict[str, str] | str]:
    """Return the page of a solver, by its name, and the others, which have their own titles."""
    further = sorted(path.name for path in folder.glob(f"{name}-*.md"))
    return [{name: f"solvers/{name}.md"}, *(f"solvers/{other}" for other in further)]
