"""Which tests might ask a golden file, and whether a run has left any of them out.

An entry that no test has asked for may only be dropped when every test has been asked. Whatever
speaks against that counts: a test or file that was left out, one that did not pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Set
from pathlib import Path

import pytest


class Collected:
    """The tests of a run by the golden file they might ask, and of which some were left out.

    A golden file is called `golden_name` and lies beside the tests.
    """

    def __init__(self, golden_name: str) -> None:
        self._name = golden_name
        self._tests: dict[Path, set[str]] = {}
        self._partial: set[Path] = set()

    @property
    def files(self) -> Iterable[Path]:
        """The golden files that tests might ask, there or not."""
        return self._tests.keys()

    def leave_out(self, items: Iterable[pytest.Item]) -> None:
        """Note tests that were found and will not run."""
        self._partial |= {item.path.with_name(self._name) for item in items}

    def add(self, config: pytest.Config, items: Iterable[pytest.Item]) -> None:
        """Note the tests that will run, and which golden files have others beside these."""
        modules: dict[Path, set[Path]] = {}
        for item in items:
            golden = item.path.with_name(self._name)
            self._tests.setdefault(golden, set()).add(item.nodeid)
            modules.setdefault(golden, set()).add(item.path)
        patterns = config.getini("python_files")
        for golden, paths in modules.items():
            beside = {path for path in golden.parent.iterdir() if any(map(path.match, patterns))}
            if _is_selective(config) or not beside <= paths:
                self._partial.add(golden)

    def all_passed(self, golden: Path, passed: Set[str]) -> bool:
        """Whether every test that might ask a golden file is among those that have `passed`."""
        return golden not in self._partial and self._tests.get(golden, set()) <= passed

    def to_json(self) -> str:
        """As text, for another process."""
        tests = {str(golden): sorted(names) for golden, names in self._tests.items()}
        return json.dumps({"tests": tests, "partial": sorted(map(str, self._partial))})

    def merge(self, text: str) -> None:
        """Add what another process gave as text."""
        other = json.loads(text)
        for golden, names in other["tests"].items():
            self._tests.setdefault(Path(golden), set()).update(names)
        self._partial.update(map(Path, other["partial"]))


def _is_selective(config: pytest.Config) -> bool:
    """Whether tests were picked by name, or for having failed: the others are unknown."""
    return any("::" in argument for argument in config.args) or bool(config.getoption("lf", False))
