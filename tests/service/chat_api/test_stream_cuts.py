"""A stream that is cut anywhere and resumed with `Last-Event-ID` gives every event once, in order."""

from __future__ import annotations

import contextlib
import json
import random
import threading
from typing import Any

import httpx

from tests.patience import PATIENCE
from tests.service.desk import RunningDesk
from tests.service.talking import Frame, chat, picked_up

CUTS = 200
MESSAGES = 50
SILENCE = 0.2
"""Seconds without a byte after which a reader hangs up as well."""


def cut_after(
    client: httpx.Client, path: str, last_event_id: int, size: int, *, silence: float = SILENCE
) -> list[dict[str, Any]]:
    """Read so many bytes of a stream, or what there is, and hang up; return the events that had arrived whole."""
    read = b""
    headers = {"Last-Event-ID": str(last_event_id)}
    with (
        contextlib.suppress(httpx.ReadTimeout),
        client.stream("GET", path, headers=headers, timeout=httpx.Timeout(PATIENCE, read=silence)) as stream,
    ):
        assert stream.status_code == 200
        for piece in stream.iter_raw():
            read += piece
            if len(read) >= size:
                break
    whole = read[:size].rpartition(b"\n\n")[0].decode(errors="replace")
    lines = [line for block in whole.split("\n\n") for line in block.split("\n") if line.startswith("data: ")]
    frames = [json.loads(line.removeprefix("data: ")) for line in lines]
    return [frame["event"] for frame in frames if frame["type"] == "event"]


def test_a_stream_cut_200_times_at_random_points_loses_and_repeats_nothing(
    desk: RunningDesk, customer: httpx.Client
) -> None:
    session = customer.post("/api/v1/sessions", json={}).json()
    path = f"/api/v1/sessions/{session['id']}"
    dice = random.Random(7)

    def write() -> None:
        with desk.program(session["token"]) as writer:
            for number in range(MESSAGES):
                writer.post(f"{path}/messages", json={"text": f"message {number}"}).raise_for_status()

    writing = threading.Thread(target=write)
    writing.start()
    seen: list[dict[str, Any]] = []
    for _ in range(CUTS):
        last = seen[-1]["session_seq"] if seen else 0
        seen += cut_after(customer, f"{path}/events", last, dice.randrange(1, 700))
    writing.join()
    finished = 3 * MESSAGES + 1
    stored = _stored(customer, path, count=finished)
    silence = SILENCE
    while len(seen) < finished:
        last = seen[-1]["session_seq"] if seen else 0
        new = cut_after(customer, f"{path}/events", last, 2000, silence=silence)
        # There is more to come: a service that says nothing is slow.
        silence = SILENCE if new else 2 * silence
        seen += new

    assert [event["session_seq"] for event in seen] == list(range(1, finished + 1))
    assert seen == stored
    assert cut_after(customer, f"{path}/events", finished, 2000) == [], "nothing comes after the end"
    assert [e["fact"]["text"] for e in seen if e["fact"]["name"] == "message.received"] == [
        f"message {number}" for number in range(MESSAGES)
    ]


def test_a_number_that_the_log_never_had_begins_again(customer: httpx.Client) -> None:
    session, said = chat(customer, "hello")
    path = f"/api/v1/sessions/{session}"
    with customer.stream("GET", f"{path}/events", headers={"Last-Event-ID": "900"}) as stream:
        first = next(line for line in stream.iter_lines() if line.startswith("data: "))
    assert json.loads(first.removeprefix("data: "))["event"] == _stored(customer, path, count=1)[0]

    again = picked_up(customer, session, "900.5")
    assert again == picked_up(customer, session)
    assert _text(again) == _text(said) != ""


def _text(frames: list[Frame]) -> str:
    return "".join(frame["content"] for frame in frames if frame["type"] == "content")


def _stored(client: httpx.Client, path: str, *, count: int) -> list[dict[str, Any]]:
    """Return the first so many events of the stream, once all of them are there."""
    events: list[dict[str, Any]] = []
    with client.stream("GET", f"{path}/events") as stream:
        for line in stream.iter_lines():
            frame = json.loads(line[6:]) if line.startswith("data: ") else {}
            events += [frame["event"]] if frame.get("type") == "event" else []
            if len(events) == count:
                break
    return events
