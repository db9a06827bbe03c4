"""Counts the models of a DIMACS CNF file with the model counter Ganak (the package pyganak).

Models are counted over the variables of lines `c p show`. Ganak recognises parts of a formula by a
hash: its counts are correct with high probability.

Source: S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A Scalable Probabilistic Exact Model
Counter", IJCAI 2019.
"""

import json
import sys

from pyganak import Counter  # type: ignore[import-not-found]

counter = Counter()
shown: list[int] = []
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        words = line.split()
        if line.startswith("p cnf"):
            counter.new_vars(int(words[2]))
        elif line.startswith("c p show"):
            shown += map(int, words[3:-1])
        elif words and words[0] != "c":
            counter.add_clause([int(word) for word in words[:-1]])
counter.set_sampling_set(shown)
sys.stdout.write(json.dumps({"count": str(counter.count())}) + "\n")
