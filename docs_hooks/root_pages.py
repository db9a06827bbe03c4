"""Make pages of CONTRIBUTING.md and CHANGELOG.md, which stand in the root of the repository.

The changelog becomes a page for each release and group of changes; a long group takes several.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
CHANGELOG = "changelog/index.md"
MAX_WORDS = 1500  # of a page of changes
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": CHANGELOG}

RELEASE = re.compile(r"^## \[(.+?)\].*$", re.MULTILINE)
GROUP = re.compile(r"^### (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s]+)\)")


def on_config(config: MkDocsConfig) -> None:
    """Add the changelog to the navigation."""
    assert config.nav is not None
    config.nav.append({"Changelog": list(changelog())})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    pages = {PAGES["CONTRIBUTING.md"]: text_of("CONTRIBUTING.md"), **changelog()}
    for path, text in pages.items():
        files.append(File.generated(config, path, content=linked_from(path, text)))
    return files


def text_of(name: str) -> str:
    """Return a file of the root."""
    return (ROOT / name).read_text(encoding="utf-8")


def changelog() -> dict[str, str]:
    """Return the pages of the changelog by path: an overview, then each group of each release."""
    introduction, *releases = parts(RELEASE, text_of("CHANGELOG.md"))
    pages, overview = {CHANGELOG: ""}, [introduction[1]]
    for release, text in releases:
        about, *groups = parts(GROUP, text)
        overview.append(f"## {release}\n\n{about[1].strip()}\n")
        for group, changes in groups:
            for number, some in enumerate(portions(changes), 1):
                title = group if number == 1 else f"{group}, {number}"
                path = f"changelog/{release}-{title}.md".lower().replace(", ", "-")
                pages[path] = f"# {release}: {title.lower()}\n\n{some}"
                overview.append(f"- [{title}]({path})")
    pages[CHANGELOG] = "\n".join(overview)
    return pages


def parts(heading: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """Return the title and the text below each heading; first what precedes them, without one."""
    first, *rest = heading.split(text)
    return [("", first), *zip(rest[::2], rest[1::2], strict=True)]


def portions(changes: str) -> list[str]:
    """Cut a list of changes into lists of up to `MAX_WORDS` words."""
    lists = [""]
    for change in re.split(r"^(?=- )", changes.strip(), flags=re.MULTILINE):
        if len((lists[-1] + change).split()) > MAX_WORDS:
            lists.append("")
        lists[-1] += change
    return lists


def linked_from(path: str, text: str) -> str:
    """Turn links that start in the root of the repository into links between pages."""
    folder = PurePosixPath(path).parent

    def turned(link: re.Match[str]) -> str:
        file, mark, anchor = link[1].partition("#")
        page = PAGES.get(file, file.removeprefix("docs/"))
        return f"]({posixpath.relpath(page, folder)}{mark}{anchor})"

    return LINK.sub(turned, text)
