"""Make the page of all published rows with its charts, from the records in docs/reproductions."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from dovetail.cli.main import run

PAGE = "reproductions/published.html"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page: `dovetail reproductions` writes it, as a reader would who has the records."""
    folder = Path(config.docs_dir) / "reproductions"
    records = sorted(map(str, (folder / "records").glob("*.jsonl")))
    with TemporaryDirectory() as made:
        page = Path(made) / "published.html"
        words = [*records, "--estimates", str(folder / "estimates.jsonl"), "-o", str(page)]
        if run(["reproductions", *words]) != 0:
            raise PluginError("dovetail reproductions failed")
        files.append(File.generated(config, PAGE, content=page.read_text(encoding="utf-8")))
    return files
