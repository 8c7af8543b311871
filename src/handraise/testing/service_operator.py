"""A simulated operator at the inbox of a running service, who decides over its HTTP API as a program does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from handraise.core.errors import HandraiseError, Misconfigured, Unavailable
from handraise.core.requests import Request
from handraise.testing.answers import AnswerRule, answer_to

if TYPE_CHECKING:
    import httpx

POLL_SECONDS = 0.05
_requests = TypeAdapter(list[Request])


class ServiceOperator:
    """Somebody at the inbox of a service, with an operator's key, who answers what is open by rule.

    Deadlines go by the service's database, which no test can turn: give tools a short `timeout_seconds` instead.
    """

    def __init__(self, answers: AnswerRule, *, url: str, key: str) -> None:
        self.closed: list[Request] = []
        self._answers = answers
        self._client = _client(url, key)

    def answer_open(self, *, session_id: str | None = None) -> list[Request]:
        """Decide what is open now and return it as decided, without what somebody else decided first."""
        where = {"session_id": session_id} if session_id else {}
        listed = self._call("GET", "/api/v1/requests", params={"limit": 200, "audience": "operator", **where})
        decided = [self._decide(request) for request in _requests.validate_python(listed["items"])]
        closed = [request for request in decided if request is not None]
        self.closed += closed
        return closed

    def answer_next(self, *, session_id: str | None = None, within: float = 30.0) -> list[Request]:
        """Wait until something is asked, decide it, and return it; give up after `within` seconds."""
        gives_up = time.monotonic() + within
        while True:
            if closed := self.answer_open(session_id=session_id):
                return closed
            if time.monotonic() > gives_up:
                raise Unavailable(
                    f"Nothing was asked within {within:g} seconds.", fix="See whether the run failed, or wait longer."
                )
            time.sleep(POLL_SECONDS)

    @contextmanager
    def at_work(self, *, session_id: str | None = None) -> Iterator[None]:
        """Answer whatever is asked while the block runs. An error on the way is raised at its end."""
        done, failed = threading.Event(), list[HandraiseError]()

        def work() -> None:
            try:
                while not done.wait(POLL_SECONDS):
                    self.answer_open(session_id=session_id)
            except HandraiseError as error:
                failed.append(error)

        worker = threading.Thread(target=work, name="handraise-simulated-operator", daemon=True)
        worker.start()
        try:
            yield
        finally:
            done.set()
            worker.join()
        for error in failed:
            raise error

    def _decide(self, request: Request) -> Request | None:
        decision = answer_to(request, self._answers).model_dump(mode="json")
        closed = self._call("POST", f"/api/v1/requests/{request.id}/decision", json=decision)
        return Request.model_validate(closed) if closed else None

    def _call(self, method: str, path: str, **what: Any) -> Any:
        import httpx

        try:
            response = self._client.request(method, path, **what)
        except httpx.TransportError as error:
            raise Unavailable(
                f"The service at {self._client.base_url} does not answer: {error!r}.", fix="Start it before the test."
            ) from None
        if response.status_code == httpx.codes.CONFLICT:
            return None  # somebody, or the clock, was first
        if response.is_error:
            raise Misconfigured(
                f"The service refused {method} {path} with {response.status_code}: {response.text}",
                fix="Check the key, and that the answer is one that the request offers.",
            )
        return response.json()


def _client(url: str, key: str) -> httpx.Client:
    try:
        import httpx
    except ModuleNotFoundError:
        raise Misconfigured(
            "An operator at a service needs the package 'httpx', which is not installed.",
            fix="Run: pip install 'handraise[server]'",
        ) from None
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=30)
