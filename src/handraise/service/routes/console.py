"""The pages: the built console, served from inside the package."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from handraise.service.auth.authentication import IdentityHere
from handraise.service.routes.sign_in import sign_in_to

API = ("api/", "human-agent/", "sessions/")
"""Where no page is: an unknown address there is a mistake of a program, which a page would hide."""
NO_PAGE = {"chat", "continue_thread", "metrics"}

BUILT = Path(__file__).parents[1] / "static"

_HEADERS = {"Cache-Control": "no-cache"}


def add_pages(app: FastAPI) -> None:
    """Serve the console at every path that is not the API's: the page itself knows its routes."""
    app.mount("/assets", StaticFiles(directory=BUILT / "assets", check_dir=False), name="assets")

    @app.head("/{path:path}", include_in_schema=False)
    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request, identity: IdentityHere) -> Response:
        if path.startswith(API) or path in NO_PAGE:
            if request.method == "HEAD":
                raise HTTPException(405, "Method Not Allowed")
            raise HTTPException(404, f"There is nothing at /{path}")
        if path.split("/", maxsplit=1)[0] == "console" and not identity.is_person:
            return RedirectResponse(sign_in_to(f"/{quote(path)}", request.url.query), 303)
        if not (BUILT / "index.html").is_file():
            return PlainTextResponse(
                "The console is not built. Install handraise from a wheel, or run `make demo` in its source.\n", 503
            )
        named = BUILT / path
        if path and "/" not in path and named.is_file() and named.parent == BUILT and not path.startswith("."):
            return FileResponse(named, headers=_HEADERS)
        return FileResponse(BUILT / "index.html", headers=_HEADERS)
