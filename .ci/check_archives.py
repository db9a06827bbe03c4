"""Checks the archives of a release: `python check_archives.py FOLDER`.

Prints what each of the sdist and the wheel in the folder is, and what is wrong with them; the exit
status is 1 then.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
MAX_WHEEL_BYTES, MAX_SDIST_BYTES, MAX_FILE_BYTES = 2 * 2**20, 4 * 2**20, 2**20
# What an sdist has beside the files of the repository, and what it lacks.
MADE, LINKS = {"PKG-INFO"}, {"suites"}
Contents = dict[str, bytes]


def main() -> int:
    """Check both archives; returns the exit status."""
    folder = Path(sys.argv[1])
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    problems = [*sdist_problems(sdist), *wheel_problems(wheel)]
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return 1 if problems else 0


def wheel_problems(path: Path) -> Iterator[str]:
    """Return what is wrong with a wheel."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    report(path, contents)
    information = f"{NAME}.dist-info"
    package = {name for name in contents if not name.startswith(f"{information}/")}
    wanted = {name.removeprefix("src/") for name in tracked("src/dovetail")}
    yield from differences(path.name, package, wanted)
    licences = {f"{information}/licenses/{name}" for name in PROJECT["license-files"]}
    yield from differences(f"{path.name}, licences", licences & set(contents), licences)
    yield from metadata_problems(path.name, contents.get(f"{information}/METADATA", b""))
    scripts = contents.get(f"{information}/entry_points.txt", b"").decode()
    for name, target in PROJECT["scripts"].items():
        if f"{name} = {target}" not in scripts:
            yield f"{path.name}: no script {name}"
    if path.stat().st_size > MAX_WHEEL_BYTES:
        yield f"{path.name}: larger than {MAX_WHEEL_BYTES:,} bytes"
    for name, content in contents.items():
        if len(content) > MAX_FILE_BYTES:
            yield f"{path.name}: {name} is larger than {MAX_FILE_BYTES:,} bytes"


def sdist_problems(path: Path) -> Iterator[str]:
    """Return what is wrong with an sdist, which has the files of the repository."""
    contents: Contents = {}
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                contents[member.name.removeprefix(f"{NAME}/")] = file.read()
    report(path, contents)
    yield from differences(path.name, set(contents), set(tracked(".")) - LINKS | MADE)
    yield from metadata_problems(path.name, contents.get("PKG-INFO", b""))
    if path.stat().st_size > MAX_SDIST_BYTES:
        yield f"{path.name}: larger than {MAX_SDIST_BYTES:,} bytes"


def metadata_problems(archive: str, data: bytes) -> Iterator[str]:
    """How the metadata of an archive differ from those in pyproject.toml."""
    metadata = message_from_bytes(data)
    fields = {
        "Name": [PROJECT["name"]],
        "Version": [PROJECT["version"]],
        "Summary": [PROJECT["description"]],
        "License-Expression": [PROJECT["license"]],
        "License-File": PROJECT["license-files"],
        "Classifier": PROJECT["classifiers"],
        "Provides-Extra": list(PROJECT["optional-dependencies"]),
        "Description-Content-Type": ["text/markdown"],
    }
    address = os.environ.get("DOVETAIL_REPOSITORY_URL", "")
    if not any(address in url for url in metadata.get_all("Project-URL", [address])):
        yield f"{archive}: no Project-URL with {address}"
    for field, values in fields.items():
        yield from differences(f"{archive}, {field}", set(metadata.get_all(field, [])), set(values))


def differences(place: str, present: set[str], wanted: set[str]) -> Iterator[str]:
    """Return the files that are missing or should not be there."""
    yield from (f"{place}: {name!r} does not belong there" for name in sorted(present - wanted))
    yield from (f"{place}: {name!r} is missing" for name in sorted(wanted - present))


def tracked(folder: str) -> list[str]:
    """Return the files of the repository below a folder, as in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = listed.stdout.split("\0")
    return [name for name in names if name and (ROOT / name).exists()]


def report(path: Path, contents: Contents) -> None:
    """Print what an archive is."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    size = path.stat().st_size
    sys.stdout.write(f"{digest}  {path.name}  ({len(contents)} files, {size:,} bytes)\n")


if __name__ == "__main__":
    sys.exit(main())
