"""What the tests of the routes do over HTTP, in their own words."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx

from tests.patience import patiently

Frame = dict[str, Any]


def stream(client: httpx.Client, path: str, body: dict[str, Any], **headers: str) -> list[Frame]:
    """POST, and return every message of the stream that answers; each must have an id."""
    with client.stream("POST", path, json=body, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        return read_frames("".join(answer.iter_text()))


def read_frames(text: str) -> list[Frame]:
    frames = []
    for block in text.split("\n\n"):
        if block and not block.startswith(":"):
            place, data = block.split("\n", maxsplit=1)
            assert place.startswith("id: ")
            frames.append(json.loads(data.removeprefix("data: ")))
    return frames


def kinds(frames: list[Frame]) -> list[str]:
    """Return the types of messages, with the pieces of one text as one."""
    found: list[str] = []
    for frame in frames:
        if frame["type"] != "content" or found[-1:] != ["content"]:
            found.append(frame["type"])
    return found


def content(frames: list[Frame]) -> str:
    return "".join(frame["content"] for frame in frames if frame["type"] == "content")


def only(frames: list[Frame], kind: str) -> Frame:
    [found] = [frame for frame in frames if frame["type"] == kind]
    return found


def chat(client: httpx.Client, message: str, thread_id: str | None = None) -> tuple[str, list[Frame]]:
    """Say something, in a new session unless one is named; return the session and what came back."""
    frames = stream(client, "/chat", {"message": message, **({"thread_id": thread_id} if thread_id else {})})
    assert frames[0]["type"] == "session"
    assert frames[-1]["type"] == "done"
    return str(frames[0]["thread_id"]), frames


def picked_up(client: httpx.Client, thread_id: str, place: str = "0") -> list[Frame]:
    return read_frames(client.get(f"/api/v1/sessions/{thread_id}/chat", headers={"Last-Event-ID": place}).text)


def until(ready: Any) -> Any:
    """Wait until `ready()` returns something true, and return it."""
    for _ in patiently():
        if found := ready():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")
