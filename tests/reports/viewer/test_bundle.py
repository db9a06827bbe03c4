"""The committed bundle is built from the sources that stand beside it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from reports.present import present

SOURCES = Path(__file__).parents[3] / "viewer"


def committed(name: str) -> str:
    """A file of the package."""
    return (files("dovetail.reports.viewer") / name).read_text(encoding="utf-8")


def source_digest() -> str:
    """As `build.mjs` computes it."""
    names = ["build.mjs", "package.json", *(f"src/{p.name}" for p in SOURCES.glob("src/*"))]
    digest = sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + (SOURCES / name).read_bytes())
    return digest.hexdigest()


def test_bundle_is_not_stale() -> None:
    """Its head names the digest of the sources; otherwise: `npm run build` in viewer/."""
    built_from = present(
        re.search(r"^sources: sha256 (\w+)$", committed("bundle.js"), re.MULTILINE)
    )
    assert built_from[1] == source_digest()


def test_licence_of_three_is_in_the_bundle_and_beside_it() -> None:
    """With the version that it was built with, which is an exact one."""
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    version = package["devDependencies"]["three"]
    licence = committed("three.LICENSE.txt").strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert f"three.js {version} is part of this file:\n\n{licence}\n*/" in committed("bundle.js")
    assert "Copyright ©" in licence


def test_bundle_can_stand_in_a_script_element() -> None:
    """Nothing in it ends the element, opens a comment, or is read otherwise than written."""
    assert not re.search(r"</script|<!--|[\r\x00]", committed("bundle.js"), re.IGNORECASE)


@pytest.mark.slow
def test_building_again_gives_the_same_bundle(tmp_path: Path) -> None:
    """Byte for byte, in a copy."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    shutil.copytree(SOURCES, tmp_path / "viewer", ignore=shutil.ignore_patterns("node_modules"))
    target = tmp_path / "src" / "dovetail" / "reports" / "viewer"
    target.mkdir(parents=True)
    for command in (["npm", "install", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=tmp_path / "viewer", check=True, capture_output=True)
    for name in ("bundle.js", "three.LICENSE.txt"):
        assert (target / name).read_text(encoding="utf-8") == committed(name)
