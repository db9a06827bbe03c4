"""Routes of the catalogue, of lattices, of drawings and of puzzles."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dovetail.models.lattices.registry import lattice_named
from dovetail.ui import drawings, lattices, puzzle_files, puzzle_sources, puzzles, sheets
from dovetail.ui.catalogue import catalogue_rows
from dovetail.ui.requests import RequestError, body_of
from dovetail.ui.responses import download
from dovetail.ui.sizes import check_size
from dovetail.ui.threads import HeavyWork, SlowWork
from dovetail.ui.workspace import Workspace


class PuzzleRoutes:
    """Routes of the catalogue, of lattices, of drawings and of puzzles."""

    def __init__(self, workspace: Workspace, heavy: HeavyWork, slow: SlowWork) -> None:
        self._workspace, self._heavy, self._slow = workspace, heavy, slow
        # Separate, because explanations take longest and other requests must not wait for them.
        self._explaining = SlowWork(lambda: workspace.closing, 1)
        self.routes = [
            Route("/catalogue", self._catalogue),
            Route("/lattices", self._lattices),
            Route("/lattices/{name}/cells", self._cells),
            Route("/lattices/{name}/pieces", self._pieces),
            Route("/lattices/{name}/piece", self._piece, methods=["POST"]),
            Route("/drawings/facts", self._facts, methods=["POST"]),
            Route("/drawings/text", self._text, methods=["POST"]),
            Route("/puzzles", self._puzzles),
            Route("/puzzles", self._add, methods=["POST"]),
            Route("/puzzles/{id}", self._puzzle),
            Route("/puzzles/{id}/explanation", self._explanation),
            Route("/puzzles/{id}/drawing", self._drawing),
            Route("/puzzles/{id}/export", self._export),
        ]

    async def _catalogue(self, _: Request) -> Response:
        return JSONResponse(await self._heavy.run(catalogue_rows))

    async def _lattices(self, _: Request) -> Response:
        return JSONResponse(sheets.lattice_rows())

    async def _cells(self, request: Request) -> Response:
        query, side = request.query_params, str(sheets.DEFAULT_SIDE)
        board = await self._heavy.run(
            sheets.drawing_board,
            request.path_params["name"],
            query.get("width", side),
            query.get("height", side),
            query.get("layers", str(sheets.DEFAULT_LAYERS)),
        )
        return JSONResponse(board)

    async def _pieces(self, request: Request) -> Response:
        lattice = lattice_named(request.path_params["name"])
        return JSONResponse(await self._heavy.run(lattices.piece_sets, lattice))

    async def _piece(self, request: Request) -> Response:
        fields, name = await body_of(request, ("cells",)), request.path_params["name"]
        return JSONResponse(await self._heavy.run(drawings.piece_alone, name, fields))

    async def _facts(self, request: Request) -> Response:
        drawn = await body_of(request, drawings.KEYS)
        return JSONResponse(await self._heavy.run(drawings.drawing_facts, drawn))

    async def _text(self, request: Request) -> Response:
        drawn = await body_of(request, drawings.KEYS)
        return JSONResponse({"toml": await self._heavy.run(drawings.drawing_text, drawn)})

    async def _puzzles(self, _: Request) -> Response:
        return JSONResponse(list(map(puzzles.puzzle_row, self._workspace.puzzles())))

    async def _add(self, request: Request) -> Response:
        fields = await body_of(request, puzzle_sources.SOURCES)
        return JSONResponse(await self._slow.run_for(request, self._added, fields))

    def _added(self, fields: dict[str, Any]) -> list[dict[str, Any]]:
        found = puzzle_sources.puzzles_in(fields)
        for puzzle, _ in found:
            check_size(puzzle)
        stored = [self._workspace.add(*one) for one in found]
        return list(map(puzzles.puzzle_fields, stored))

    async def _puzzle(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        return JSONResponse(await self._slow.run_for(request, puzzles.puzzle_fields, stored))

    async def _explanation(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        return JSONResponse(
            await self._explaining.run_for(request, puzzles.explanation_fields, stored)
        )

    async def _drawing(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        drawn = drawings.drawing_of(stored.puzzle)
        if drawn is None:
            raise RequestError(f"{stored.puzzle.name} cannot be drawn here", status=404)
        return JSONResponse(drawn)

    async def _export(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        suffix = request.query_params.get("format", "")
        content = await self._heavy.run(puzzle_files.puzzle_text, stored, suffix)
        return download(puzzle_files.file_name(stored.puzzle.name, suffix), content)
