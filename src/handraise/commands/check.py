"""`handraise check interrupt`: a tool request, its approval and its result, against a running service."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import httpx

check = typer.Typer(help="Check that a running service does what it promises.", no_args_is_help=True)

Frame = dict[str, Any]


class StepFailed(Exception):
    """A step did not go as it should; the message says what came in its place."""


@check.callback()
def root() -> None:
    """Check that a running service does what it promises."""


@check.command()
def interrupt(
    url: Annotated[str, typer.Option(help="The service's address.", envvar="HANDRAISE_URL")] = "http://127.0.0.1:2024",
    key: Annotated[str, typer.Option(help="An operator's key, for calls that an operator decides.")] = "",
    message: Annotated[
        str, typer.Option(help="A message that makes the agent call a tool which waits for a person.")
    ] = "Please cancel order 1001",
    agent: Annotated[str, typer.Option(help="The agent to talk to; the service's first if left out.")] = "",
) -> None:
    """Send a message, see the tool request, approve it, and see the result. Exit 1 at the first step that fails."""
    import httpx

    key = key or os.environ.get("HANDRAISE_KEY", "")
    with httpx.Client(base_url=url, timeout=60) as client:
        try:
            _walk(client, key, {"message": message, "agent": agent})
        except (StepFailed, httpx.HTTPError) as error:
            typer.secho(f"  failed  {str(error) or type(error).__name__}", fg="red")
            raise typer.Exit(1) from None
    typer.secho("The service interrupts, asks and goes on as it should.", fg="green")


def _walk(client: httpx.Client, key: str, message: dict[str, str]) -> None:
    step = _Steps()
    asked = step(f"Send {message['message']!r}", lambda: _stream(client, "/chat", message))
    session = _only(asked, "session")
    client.headers["Authorization"] = f"Bearer {session['token']}"
    thread_id = session["thread_id"]
    if any(frame["type"] == "waiting" for frame in asked):
        waiting = step("An operator is asked", lambda: _only(asked, "waiting"))
        before = step("The answer ends with waiting_for_human", lambda: _done(asked, "waiting_for_human"))
        step("Approve it as the operator", lambda: _approve(client, key, waiting["request_id"]))
        answered = step("Pick the stream up", lambda: _picked_up(client, thread_id, str(before)))
    else:
        request = step("The tool request is sent", lambda: _only(asked, "tool_request"))
        step("The answer ends with waiting_for_human", lambda: _done(asked, "waiting_for_human"))
        calls = [{name: call[name] for name in ("id", "name", "args")} for call in request["tool_calls"]]
        body = {"thread_id": thread_id, "approved": True, "tool_calls": calls}
        answered = step("Approve it as the customer", lambda: _stream(client, "/continue_thread", body))
    result = step("The tool ran", lambda: _only(answered, "tool_result"))
    step(f"Its result is a success: {result['content']!r}", lambda: _must(result["status"] == "success", result))
    said = "".join(frame["content"] for frame in answered if frame["type"] == "content")
    step(f"The agent answers: {said!r}", lambda: _must(bool(said), "nothing"))
    step("The conversation goes on", lambda: _done(answered, "active"))


class _Steps:
    """Prints each step once it has gone well."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self, says: str, work: Callable[[], Any]) -> Any:
        self._number += 1
        typer.echo(f"{self._number:>2} {says}")
        return work()


def _stream(client: httpx.Client, path: str, body: dict[str, Any]) -> list[Frame]:
    with client.stream("POST", path, json=body) as answer:
        if answer.status_code != 200:
            raise StepFailed(f"{path} answered {answer.status_code}: {answer.read().decode()}")
        return _frames(list(answer.iter_lines()))


def _picked_up(client: httpx.Client, thread_id: str, place: str) -> list[Frame]:
    """Return what came after `place`, once the run that was approved has answered."""
    import time

    for _ in range(100):
        answer = client.get(f"/api/v1/sessions/{thread_id}/chat", headers={"Last-Event-ID": place})
        frames = _frames(answer.text.splitlines())
        if frames and frames[-1].get("status") != "waiting_for_human":
            return frames
        time.sleep(0.1)
    raise StepFailed("the run did not go on within 10 seconds")


def _frames(lines: list[str]) -> list[Frame]:
    """Return the messages, each with its id as `at`."""
    frames, place = [], ""
    for line in lines:
        if line.startswith("id: "):
            place = line.removeprefix("id: ")
        elif line.startswith("data: "):
            frames.append({**json.loads(line.removeprefix("data: ")), "at": place})
    return frames


def _approve(client: httpx.Client, key: str, request_id: str) -> None:
    if not key:
        raise StepFailed("this call is an operator's to decide: name a key with --key, or in HANDRAISE_KEY")
    headers = {"Authorization": f"Bearer {key}"}
    answer = client.post(f"/api/v1/requests/{request_id}/decision", json={"type": "approve"}, headers=headers)
    _must(answer.status_code == 200, f"{answer.status_code}: {answer.text}")


def _only(frames: list[Frame], kind: str) -> Frame:
    found = [frame for frame in frames if frame["type"] == kind]
    if not found:
        raise StepFailed(f"there is no {kind!r} among {[frame['type'] for frame in frames]}")
    return found[0]


def _done(frames: list[Frame], status: str) -> str:
    last = _only(frames, "done")
    _must(last["status"] == status, last)
    return str(last["at"])


def _must(holds: bool, found: object) -> None:
    if not holds:
        raise StepFailed(f"got {found}")
