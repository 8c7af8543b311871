"""Errors as `application/problem+json`. The HTTP status of an error is decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from handraise.core import errors
from handraise.core.errors import HandraiseError, NotSignedIn, TooManyRequests
from handraise.service.http.headers import add_headers

log = structlog.get_logger(__name__)

STATUSES: Mapping[type[HandraiseError], HTTPStatus] = {
    errors.HandraiseError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotCanonical: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.InvalidDecision: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.DecisionNotAllowed: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.Unspeakable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.AlreadySettled: HTTPStatus.CONFLICT,
    errors.AlreadyAnswered: HTTPStatus.CONFLICT,
    errors.ClaimedByAnother: HTTPStatus.CONFLICT,
    errors.AlreadyKnown: HTTPStatus.CONFLICT,
    errors.IllegalMove: HTTPStatus.CONFLICT,
    errors.LeaseLost: HTTPStatus.CONFLICT,
    errors.NotSignedIn: HTTPStatus.UNAUTHORIZED,
    errors.NotPermitted: HTTPStatus.FORBIDDEN,
    errors.TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    # Both end a run and are told in its session; no route raises them today.
    errors.QuotaExceeded: HTTPStatus.CONFLICT,
    errors.NotRunAgain: HTTPStatus.CONFLICT,
    errors.Misconfigured: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""Every error of ours has its own row. One of somebody else's has that of the nearest error it derives from."""


def status_of(error: HandraiseError) -> HTTPStatus:
    """Return the HTTP status of an error."""
    known = (STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    return next(known, HTTPStatus.INTERNAL_SERVER_ERROR)


class Problem(BaseModel):
    """What went wrong, and what to do about it. `code` is stable; the wording is not."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    fix: str = ""
    details: dict[str, Any] = Field(default_factory=dict)


_MEANINGS = {
    401: "Nobody proved who is asking.",
    403: "Whoever asks may not do this.",
    404: "There is no such thing, or it is not yours to see.",
    409: "Right once, too late now. `details` names who was first.",
    413: "The body is larger than this service takes.",
    422: "Something in the request does not fit; `details` says what.",
    429: "Too many requests, or too many live connections; `Retry-After` says how long to wait.",
    503: "Something that the service depends on does not answer.",
}

EVERYWHERE = (401, 403, 404, 413, 422, 429, 503)
"""What any route may answer, whatever it does."""


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of these problems."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        status: {"description": _MEANINGS[status], "content": {"application/problem+json": schema}}
        for status in statuses
    }


def add_problem_handlers(app: FastAPI) -> None:
    """Answer every error as a problem, whoever raised it."""

    @app.exception_handler(HandraiseError)
    async def known(_: Request, error: HandraiseError) -> JSONResponse:
        return problem(
            status_of(error),
            code=error.code,
            what=error.what,
            fix=error.fix,
            details=error.details,
            headers=_headers(error),
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        fields = [
            {"field": ".".join(str(part) for part in item["loc"]), "message": item["msg"]} for item in error.errors()
        ]
        first = fields[0]
        return problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            code="invalid_input",
            what=f"{first['field']}: {first['message']}.",
            fix="Correct the fields named in `details` and send it again.",
            details={"fields": fields},
        )

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> JSONResponse:
        status = HTTPStatus(error.status_code)
        if status == HTTPStatus.BAD_REQUEST:
            # FastAPI could not read the body at all, as one that is not even text; for us that is one more misfit.
            return problem(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                code="invalid_input",
                what="The body cannot be read as JSON.",
                fix="Send UTF-8 JSON as application/json.",
            )
        code = status.phrase.lower().replace(" ", "_").replace("-", "_")
        return problem(status, code=code, what=str(error.detail) + ".", fix="Check the address and the method.")

    @app.exception_handler(Exception)
    async def unknown(request: Request, error: Exception) -> JSONResponse:
        log.exception("request.failed", path=request.url.path)
        answer = problem(
            HTTPStatus.INTERNAL_SERVER_ERROR,
            code="internal_error",
            what="Something went wrong in the service.",
            fix="Try again; if it happens again, the service's log says why.",
        )
        # This answer is made outside all middleware.
        add_headers(answer.headers, request.scope)
        return answer


def problem(
    status: HTTPStatus,
    *,
    code: str,
    what: str,
    fix: str,
    details: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """Return a problem as an answer."""
    said = Problem(title=status.phrase, status=status, code=code, detail=what, fix=fix, details=details or {})
    return JSONResponse(said.model_dump(), status_code=status, media_type="application/problem+json", headers=headers)


def _headers(error: HandraiseError) -> dict[str, str]:
    match error:
        case NotSignedIn():
            return {"WWW-Authenticate": 'Bearer realm="handraise"'}
        case TooManyRequests():
            return {"Retry-After": str(error.retry_after)}
        case _:
            return {}
