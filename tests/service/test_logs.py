"""Log lines: for people or as JSON, with the ids of what they are about, and never a secret."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from handraise.core.masking import MASK, Secrets
from handraise.service.logs import set_up_logs
from handraise.service.settings.settings import Logs


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = [*root.handlers], root.level
    yield
    structlog.configure(**before)
    root.handlers[:], root.level = handlers, level


def logged(**settings: Any) -> str:
    secrets, lines = Secrets(), io.StringIO()
    secrets.note(["correct horse battery"])
    set_up_logs(Logs(**settings), secrets, to=lines)
    with structlog.contextvars.bound_contextvars(http_request="r-1", session_id="s-1"):
        structlog.get_logger("ours").warning(
            "it.failed", why="the pass phrase is correct horse battery", card="4111 1111 1111 1111", order=4111111111111
        )
        logging.getLogger("theirs").error("Authorization: Bearer abc.def, key hrk_0123456789abcdef")
    return lines.getvalue()


def test_every_line_has_the_ids_and_no_secret() -> None:
    ours, theirs = map(json.loads, logged(format="json").splitlines())
    assert {"http_request": "r-1", "session_id": "s-1"}.items() <= ours.items() & theirs.items()
    assert (ours["event"], ours["level"], ours["card"], ours["order"]) == ("it.failed", "warning", MASK, 4111111111111)
    assert ours["why"] == f"the pass phrase is {MASK}"
    assert theirs["event"] == f"Authorization: Bearer {MASK}, key {MASK}"


def test_people_get_lines_for_people() -> None:
    text = logged()
    assert "it.failed" in text
    assert "s-1" in text
    assert "{" not in text
    for secret in ("correct horse", "4111 1111", "abc.def", "hrk_0123"):
        assert secret not in text
