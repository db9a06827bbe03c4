"""The search of `choco` from its definitions: domains as sets, filtered until nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.backends.choco.backend import Consistency
from dovetail.models.formulations.boards import BoardFormulation, cell_rows
from dovetail.models.options.edges import EdgeOptions

Domains = list[set[int]]  # by cell, the rows of its table


class Twin:
    """Branches on the cell of fewest rows: its lowest row, then all others."""

    def __init__(
        self, options: EdgeOptions, edges: BoardFormulation, all_different: Consistency
    ) -> None:
        self.cells, self.edges, self.all_different = cell_rows(options), edges, all_different
        self.copies = [len(kind.tiles) for kind in options.types]
        self.colour = [cell.colours.tolist() for cell in self.cells]
        self.kind = [cell.kind.tolist() for cell in self.cells]
        self.nodes = 0

    def solutions(self) -> set[tuple[int, ...]]:
        """All of them, as sorted options; `nodes` are the rows that were tried."""
        domains = [set(range(len(kinds))) for kinds in self.kind]
        return {
            tuple(sorted(int(c.option[row]) for c, row in zip(self.cells, rows, strict=True)))
            for rows in self._search(domains)
        }

    def _search(self, domains: Domains) -> Iterator[list[int]]:
        if not self._filter(domains):
            return
        open_cells = [cell for cell, rows in enumerate(domains) if len(rows) > 1]
        if not open_cells:
            yield [min(rows) for rows in domains]
            return
        cell = min(open_cells, key=lambda cell: len(domains[cell]))
        row = min(domains[cell])
        self.nodes += 1
        yield from self._search([{row} if c == cell else set(d) for c, d in enumerate(domains)])
        yield from self._search([d - {row} if c == cell else set(d) for c, d in enumerate(domains)])

    def _filter(self, domains: Domains) -> bool:
        """Take out what cannot be, until nothing changes; whether every cell has a row left."""
        before = -1
        while before != sum(map(len, domains)) and all(domains):
            before = sum(map(len, domains))
            self._filter_edges(domains)
            if self.all_different == "weak":
                self._lay_tiles(domains)
            else:
                self._match_tiles(domains)
        return all(domains)

    def _filter_edges(self, domains: Domains) -> None:
        every = {colour for rows in self.colour for row in rows for colour in row}
        edge_count = 1 + max((edge for cell in self.cells for edge in cell.edges), default=-1)
        colours = [set(every) for _ in range(edge_count)]
        for cell, rows in enumerate(domains):
            if self.edges == "edge-variables" or len(rows) == 1:
                for place, edge in enumerate(self.cells[cell].edges):
                    colours[edge] &= {self.colour[cell][row][place] for row in rows}
        for cell, rows in enumerate(domains):
            edges = self.cells[cell].edges
            for row in list(rows):
                shown = zip(self.colour[cell][row], edges, strict=True)
                if any(colour not in colours[edge] for colour, edge in shown):
                    rows.discard(row)

    def _lay_tiles(self, domains: Domains) -> None:
        """A type all of whose tiles are laid is for no other cell."""
        kinds = [self._types_in(domains, cell) for cell in range(len(domains))]
        for kind, copies in enumerate(self.copies):
            laid = [cell for cell, its in enumerate(kinds) if its == {kind}]
            for cell, rows in enumerate(domains):
                if len(laid) > copies or (len(laid) == copies and cell not in laid):
                    rows -= {row for row in rows if self.kind[cell][row] == kind}

    def _match_tiles(self, domains: Domains) -> None:
        """A cell has the types that leave one tile to every other cell, all at once."""
        kinds = [self._types_in(domains, cell) for cell in range(len(domains))]
        for cell, its in enumerate(kinds):
            for kind in its:
                others = [{kind} if c == cell else set(k) for c, k in enumerate(kinds)]
                if not self._matches(others):
                    domains[cell] -= {r for r in domains[cell] if self.kind[cell][r] == kind}

    def _matches(self, kinds: list[set[int]]) -> bool:
        """Whether there are enough tiles for all cells, by augmenting paths."""
        lies: dict[int, list[int]] = {kind: [] for its in kinds for kind in its}
        return all(self._place(cell, kinds, lies, set()) for cell in range(len(kinds)))

    def _place(
        self, cell: int, kinds: list[set[int]], lies: dict[int, list[int]], seen: set[int]
    ) -> bool:
        for kind in kinds[cell] - seen:
            seen.add(kind)
            if len(lies[kind]) < self.copies[kind]:
                lies[kind].append(cell)
                return True
            for other in lies[kind]:
                if self._place(other, kinds, lies, seen):
                    lies[kind][lies[kind].index(other)] = cell
                    return True
        return False

    def _types_in(self, domains: Domains, cell: int) -> set[int]:
        return {self.kind[cell][row] for row in domains[cell]}
