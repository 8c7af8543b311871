"""Signing in: one-time links, the page that explains them, and the demo's one click."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from urllib.parse import parse_qs, quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field

from handraise.core.actors import Actor
from handraise.core.errors import InvalidInput, NotPermitted
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.installation import OperatorAdmitted, OperatorDeparted
from handraise.core.people import Operator
from handraise.service.auth.authentication import Authentication, AuthenticationHere, IdentityHere
from handraise.service.auth.cookies import SIGN_IN_COOKIE, set_sign_in_cookie
from handraise.service.auth.identity import Asker
from handraise.service.auth.origins import must_come_from_our_pages
from handraise.service.pages.sign_in import sign_in_page
from handraise.service.settings.settings import is_loopback
from handraise.store.store import Transaction
from handraise.store.tables.people import new_secret

router = APIRouter(tags=["People"])

LONGEST_WAY = 4000
"""The longest address, in characters, that signing in comes back to."""


class Me(BaseModel):
    """Who the service takes the asker for."""

    role: Asker = Field(examples=["operator"])
    id: str = Field(examples=["ada"])
    name: str = Field(examples=["Ada"])


@router.get("/api/v1/me")
async def me(identity: IdentityHere) -> Me:
    """Say who is asking; `nobody` without valid credentials."""
    return Me(role=identity.role, id=identity.id, name=identity.name)


@router.get("/sign-in/{secret}", include_in_schema=False)
async def follow_link(
    secret: str, request: Request, authentication: AuthenticationHere, identity: IdentityHere
) -> Response:
    """Sign in by a one-time link, and go to the console."""
    link = await authentication.store.write(lambda tx: tx.people.use_link(secret))
    if link is not None and link.operator is not None:
        return await _signed_in(request, authentication, link.operator.id, to="/console")
    if identity.is_person:
        return RedirectResponse("/console", 303)
    return await _page(request, authentication, to="/console", used_up=True)


@router.get("/sign-in", include_in_schema=False)
async def explain(
    request: Request,
    authentication: AuthenticationHere,
    identity: IdentityHere,
    next: Annotated[str, Field(max_length=LONGEST_WAY)] = "/console",
) -> Response:
    """Show how to sign in; in the demo, one click does it."""
    if identity.is_person:
        return RedirectResponse(_ours(next), 303)
    return await _page(request, authentication, to=_ours(next))


@router.post("/sign-in", include_in_schema=False)
async def sign_in_to_demo(request: Request, authentication: AuthenticationHere) -> Response:
    """Sign in as one of the demo's operators: only in the demo, only on this machine, only from our page."""
    must_come_from_our_pages(request)
    if not _one_click(request, authentication):
        raise NotPermitted("One-click sign-in is only for the demo.", fix="Run: handraise operators link NAME")
    form = parse_qs((await request.body()).decode(errors="replace"))
    operator_id = form.get("operator", [""])[0]
    known = {operator.id for operator in await authentication.store.read(lambda tx: tx.people.operators())}
    if operator_id not in known:
        raise InvalidInput(f"There is no operator {operator_id!r}.", fix=f"Choose from {', '.join(sorted(known))}.")
    return await _signed_in(request, authentication, operator_id, to=_ours(form.get("next", ["/console"])[0]))


@router.post("/api/v1/sign-out", status_code=204)
async def sign_out(request: Request, authentication: AuthenticationHere) -> Response:
    """End this browser's sign-in."""
    must_come_from_our_pages(request)
    secret = request.cookies.get(SIGN_IN_COOKIE, "")

    async def end(tx: Transaction) -> None:
        if (found := await tx.people.find(secret)) is not None and found.kind == "cookie":
            await tx.people.end(found.id)
            if found.operator is not None:
                by = Actor(kind="operator", id=found.operator.id, channel="console")
                tx.events.append(INSTALLATION, OperatorDeparted(operator_id=found.operator.id), by=by)

    await authentication.store.write(end)
    answer = Response(status_code=204)
    answer.delete_cookie(SIGN_IN_COOKIE, path="/")
    return answer


def sign_in_to(path: str, query: str) -> str:
    """Return where to sign in and come back from to a page of ours, with the filters and the search in its address."""
    whole = f"{path}?{query}" if query else path
    # Quoted as a whole: what it asks for is part of `next`, and no question to the sign-in page.
    return f"/sign-in?next={quote(whole if len(whole) <= LONGEST_WAY else path)}"


async def _signed_in(request: Request, authentication: Authentication, operator_id: str, *, to: str) -> Response:
    secret = new_secret("cookie")
    lifetime = timedelta(hours=authentication.settings.sign_in_hours)

    async def admit(tx: Transaction) -> None:
        await tx.people.issue("cookie", operator_id=operator_id, lifetime=lifetime, secret=secret)
        by = Actor(kind="operator", id=operator_id, channel="console")
        tx.events.append(INSTALLATION, OperatorAdmitted(operator_id=operator_id), by=by)

    await authentication.store.write(admit)
    answer = RedirectResponse(to, 303)
    set_sign_in_cookie(answer, request, secret=secret, lifetime=lifetime)
    return answer


async def _page(request: Request, authentication: Authentication, *, to: str, used_up: bool = False) -> HTMLResponse:
    operators: list[Operator] = []
    if _one_click(request, authentication):
        operators = await authentication.store.read(lambda tx: tx.people.operators())
    chinese = request.headers.get("accept-language", "").lower().startswith("zh")
    page = sign_in_page(operators, to=to, used_up=used_up, language="zh" if chinese else "en")
    return HTMLResponse(page, 410 if used_up else 200)


def _one_click(request: Request, authentication: Authentication) -> bool:
    return authentication.demo and request.client is not None and is_loopback(request.client.host)


def _ours(path: str) -> str:
    """Return a path of our own pages; nobody's link may lead elsewhere after signing in."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/console"
