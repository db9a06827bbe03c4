"""URLs of boards as the community's viewer of Eternity boards (e2.bucas.name) takes them.

    https://e2.bucas.name/#puzzle=NAME&board_w=2&board_h=2&board_edges=aaba…&board_pieces=001…

What comes after `#` (or `?`) are keys with values, joined by `&`, in any order:

* `puzzle`: the name, percent-encoded. It may be left out.
* `board_w`, `board_h`: the size.
* `board_edges`: four letters per cell for its top, right, bottom and left. `a` is the frame
  (colour 0), `b` colour 1, …, and `aaaa` an empty cell.
* `board_pieces`: three digits per cell, the number of its tile from 1, or `000` for an empty
  cell. It may be left out.
* `motifs_order`: which drawing stands for which letter. It is not looked at.

Cells go row by row, from the top left to the right and down. Other keys are passed over. A file
has one URL per line; blank lines and those that begin with `#` are passed over.

`urls` is between a line and a board, `puzzles` between boards and puzzles, `solutions` between
boards and solutions. Source of the format: the URLs that the viewer gives, and those that
solvers of the community print for it.
"""
