"""Solutions in files, written and read.

| suffix | module | what it looks like |
|---|---|---|
| `.txt` | `text` | pictures, rows of tiles or lines of option numbers |
| `.jsonl` | `json_values` | one object per line, one line per solution |
| `.json` | `json_values` | one object with the puzzle's name and digest and the solutions |
| `.csv` | `csv_rows` | a header and one row per cell, tile or option |
| `.url` | `formats.viewer` | a URL per line that shows a board |
| `.xmpuzzle` | `formats.burrtools` | a BurrTools file of the puzzle with its solutions |

Each is a `formats.base.SolutionFormat`; `registry` picks one by the suffix to write and by the
content to read. It also reads what solvers print, see `formats.solver_output`.
"""

from dovetail.puzzles.formats.solutions.json_values import solution_json
from dovetail.puzzles.formats.solutions.registry import read_solutions, solution_writer
from dovetail.puzzles.formats.solutions.text import solution_text

__all__ = ["read_solutions", "solution_json", "solution_text", "solution_writer"]
