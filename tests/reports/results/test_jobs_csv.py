"""All figures as CSV."""

from __future__ import annotations

import csv
import io
import json

from dovetail.reports.columns import results_csv
from harness.records.made import by_remaining, made, profile, results

COLUMNS = """
puzzle digest symmetry labelled backend settings
job seed cold_start node_meaning suite expected best_known begun status count nodes attempts
reason score bound symmetry_expansion warm_up_s prepare_s solve_s solve_cpu_s check_s total_s
peak_bytes baseline_bytes verified commit
solve_ratio total_ratio runs solve_min_s solve_max_s
config reductions triggers trials limits tags published load attempts_by_remaining
fits_by_remaining native placements machine versions
"""


def test_a_line_for_each_job() -> None:
    """Every figure, ratios, the range over repeats; objects as JSON, empty cells for nothing."""
    records = [
        made(labelled=True, config={"stages": ["s", "f@11"]}, reductions=["volume"]),
        made(labelled=True, config={"stages": ["s", "f@11"]}, repeat=1, solve_s=3.0),
        made(backend="b", labelled=True, solve_s=0.5, nodes=None, status="time-limit"),
        made('a\nname, "quoted" \ud800', status="skipped", count=None, reason="no"),
    ]
    text = results_csv(results(*records))
    one, other, last = csv.DictReader(io.StringIO(text))
    assert list(one) == COLUMNS.split()
    assert (one["puzzle"], one["backend"], one["labelled"]) == ("box", "dlx", "1")
    assert one["settings"] == "stages=s,f@11 −volume"
    assert (one["count"], one["nodes"], one["prepare_s"], one["solve_s"]) == (
        "8",
        "1000",
        "0.25",
        "1.0",
    )
    assert (one["runs"], one["solve_min_s"], one["solve_max_s"]) == ("2", "1.0", "3.0")
    assert (one["solve_ratio"], one["total_ratio"]) == ("1.0", "1.0")
    assert json.loads(one["config"]) == {"stages": ["s", "f@11"]}
    assert json.loads(one["fits_by_remaining"]) == by_remaining(profile())["fits_by_remaining"]
    assert (other["status"], other["nodes"], other["solve_ratio"]) == ("time-limit", "", "")
    assert (last["puzzle"], last["count"]) == ('a\nname, "quoted" �', "")
