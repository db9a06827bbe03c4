"""A script that uses the Python API; `mypy --strict` accepts it, and a test runs it."""

import sys
from pathlib import Path

import dovetail

kept = Path(sys.argv[1]) / "soma.checkpoint"
cube = dovetail.load("soma-cube")
assert dovetail.has_solution(cube)
whole = dovetail.count(
    cube, symmetry="mirror", jobs=2, checkpoint=kept, subproblem_order="promising", audit=0.5
)
again = dovetail.count(cube, symmetry="mirror", checkpoint=kept, subproblem_order="promising")
assert whole.count == again.count == 240, (whole, again)
few = dovetail.Limits(nodes=99)
cut = dovetail.count(cube, "dlx", option_order="random", seed=7, limits=few)
assert cut.nodes == 99, cut
first = next(dovetail.solve(cube, option_order="random", restarts=True, hardest_first=True))
assert dovetail.solution_error(cube, first) is None
options = [["a", "b"], ["c"], ["a", "c"], ["b"]]
assert dovetail.count(dovetail.cover(primary=["a", "b", "c"], options=options)).count == 2
sampled = list(dovetail.sample("pentominoes-3x20", 2, seed=1, jobs=2))
assert dovetail.verify("pentominoes-3x20", sampled).valid
assert dovetail.estimate(cube, "dlx", descents=99, time_limit="1m").nodes.mean > 0
tried = dovetail.trials(cube, 5, remaining=3, option_order="random-within-items")
assert tried.searched is not None, tried
assert tried.searched.begun == 5, tried
board = dovetail.improve("edges-4-b3i3-1", objective="edges", time_limit=20).board
assert board is not None
assert "<svg" in dovetail.picture("edges-4-b3i3-1", board).svg
records = dovetail.bench(["queens-6"], ["dlx"], symmetry="all", limit=3)
assert list(dovetail.data_frame(records, ["backend", "count"])["count"]) == [3]
