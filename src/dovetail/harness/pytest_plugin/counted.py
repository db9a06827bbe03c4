"""What a test has counted, on its way to whoever writes golden files: maybe another process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dovetail.harness.pytest_plugin.golden import Figures


@dataclass(frozen=True)
class Counted:
    """The figures that a test has found for a question, and the golden file they belong in."""

    golden: Path
    question: str
    figures: Figures

    def to_json(self) -> str:
        """As text in ASCII, which passes between processes whatever the names are."""
        figures = self.figures
        return json.dumps(
            [str(self.golden), self.question, figures.count, figures.nodes, figures.digest]
        )

    @classmethod
    def from_json(cls, text: str) -> Counted:
        """What `to_json` gave."""
        golden, question, *figures = json.loads(text)
        return cls(Path(golden), question, Figures(*figures))
