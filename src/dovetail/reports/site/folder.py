"""The folder that a site is written to."""

from __future__ import annotations

from pathlib import Path

from dovetail.files.writing import OwnedFolder
from dovetail.reports.site.links import FOLDERS

MARKER = ".dovetail-site"
CONTENT = (
    "A site written by the command dovetail site. The next one replaces index.html, history.html\n"
    f"and all pages and records in {', '.join(FOLDERS)}.\n"
)
SUFFIXES = (".html", ".jsonl", ".json", ".csv")


def site_folder(path: Path) -> OwnedFolder:
    """The folder at `path` for a site."""
    return OwnedFolder(path, MARKER, CONTENT, FOLDERS, SUFFIXES)
