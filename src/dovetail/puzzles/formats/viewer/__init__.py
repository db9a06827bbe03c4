"""URLs of boards as the community's viewers of Eternity boards take them.

    https://e2.bucas.name/#puzzle=NAME&board_w=2&board_h=2&board_edges=aaba…&board_pieces=001…
    https://eternity2.dev/viewer?puzzle=NAME&puzzle_size=2&board_edges=aaba…&hints=2.1-3.0

What comes after `#` (or `?`) are keys with values, joined by `&`, in any order:

* `puzzle`: the name, percent-encoded. It may be left out.
* `board_w`, `board_h`: the size, or `puzzle_size` for both.
* `board_edges`: four letters per cell for its top, right, bottom and left. `a` is the frame
  (colour 0), `b` colour 1, …, and `aaaa` an empty cell.
* `board_pieces`: three digits per cell, the number of its tile from 1, or `000` for an empty
  cell. It may be left out.
* `hints`, of eternity2.dev alone: for each hinted tile the number of its cell, from 0, and how many
  quarter turns clockwise it is turned, `CELL.TURNS` joined by `-`. It may be left out.
* `motifs_order`: which drawing stands for which letter. It is not looked at.

Cells go row by row, from the top left to the right and down. Other keys are passed over. A file
has one URL per line; blank lines and those that begin with `#` are passed over.

`urls` is between a line and a board, `puzzles` between boards and puzzles, `solutions` between
boards and solutions. Sources of the format: the URLs that the viewers give and that solvers of the
community print for them; the modules `format.rs` and `bucas.ts` of eternity2.dev
(github.com/raphael-anjou/eternity2).
"""
