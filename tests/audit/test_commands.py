"""`handraise audit` and the route that exports: what they print, write and exit with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from typer.testing import CliRunner, Result

from handraise.audit.checking import check_store
from handraise.audit.files import check_file
from handraise.cli import app
from handraise.core.errors import InvalidInput
from handraise.store.opening import open_store
from handraise.store.store import Store
from tests.audit.test_seals import cut_off_after, run
from tests.audit.trails import EVENTS, write_trail

T = TypeVar("T")
CHANGED = "this message.received, or its place in the session, is not what was stored"


def audit(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["audit", *arguments], catch_exceptions=True)


def on(url: str, work: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    """Open the store while no command does: a command has a loop of its own."""

    async def once() -> T:
        async with open_store(url) as store:
            return await work(store)

    return asyncio.run(once())


@pytest.fixture
def url(database_url: str) -> str:
    on(database_url, write_trail)
    return database_url


def test_an_intact_trail_and_a_broken_one(url: str) -> None:
    fine = audit("verify", "--database", url)
    assert (fine.exit_code, fine.stdout) == (0, f"Intact: {EVENTS} events and 4 seals.\n")
    on(url, lambda store: run(store, "UPDATE events SET actor = REPLACE(actor, 'ann', 'eve') WHERE seq = 341"))
    broken = audit("verify", "--database", url)
    assert broken.exit_code == 1
    assert broken.stdout.splitlines() == [
        f"changed: session s0 event 18 (number 341 of the store): {CHANGED}",
        "Broken: 1 findings in 500 events and 4 seals.",
    ]


def test_an_exported_head_shows_that_the_end_was_cut_off(url: str, tmp_path: Path) -> None:
    file = tmp_path / "trail.jsonl"
    assert audit("export", "-o", str(file), "--database", url).exit_code == 0
    head = json.loads(file.read_text().splitlines()[-1])
    for kept in (str(file), head["hash"]):
        assert audit("verify", "--head", kept, "--database", url).exit_code == 0
    on(url, lambda store: cut_off_after(store, 400))
    assert audit("verify", "--database", url).exit_code == 0
    for kept in (str(file), head["hash"]):
        cut = audit("verify", "--head", kept, "--database", url)
        assert cut.exit_code == 1
        assert "is not in this store: its end was cut off" in cut.stdout


def test_an_exported_file_is_verified_by_itself(sqlite_url: str, tmp_path: Path) -> None:
    on(sqlite_url, write_trail)
    file = tmp_path / "trail.jsonl"
    audit("export", "-o", str(file), "--database", sqlite_url)
    # The export itself is on record, so it is one more.
    assert audit("verify", "--file", str(file)).stdout == f"Intact: {EVENTS + 1} events and 5 seals.\n"
    lines = file.read_text().splitlines(keepends=True)
    for broken in (
        lines[:100] + lines[101:],
        lines[:-1],
        [*lines[:50], lines[50].replace('"at":1', '"at":2'), *lines[51:]],
        [*lines[:50], lines[51], lines[50], *lines[52:]],
        [*lines[:50], lines[50], *lines[50:]],
    ):
        file.write_text("".join(broken))
        assert audit("verify", "--file", str(file)).exit_code == 1


def test_a_part_of_the_trail_is_exported_and_verified_too(url: str, tmp_path: Path) -> None:
    file = tmp_path / "part.jsonl"
    assert audit("export", "-o", str(file), "--session", "s4", "--database", url).exit_code == 0
    lines = file.read_text().splitlines(keepends=True)
    events = [json.loads(line) for line in lines if '"type":"event"' in line]
    assert [event["session_seq"] for event in events] == list(range(1, 26))
    assert {event["session_id"] for event in events} == {"s4"}
    assert check_file(lines).intact
    assert audit("export", "--since", "2199-01-01", "--database", url).stdout.count('"type":"event"') == 0
    for broken in (
        lines[:3] + lines[4:],
        [*lines[:3], lines[3].replace("ann", "eve").replace("ben", "eve"), *lines[4:]],
    ):
        assert not check_file(broken).intact


def test_an_export_is_itself_on_record(url: str) -> None:
    assert audit("export", "--session", "s4", "--database", url).exit_code == 0
    [event] = on(url, lambda store: store.read(lambda tx: tx.events.named("trail.exported")))
    assert event.fact.model_dump()["filters"] == {"session_id": "s4"}
    assert event.actor.channel == "cli"
    assert on(url, check_store).intact


def test_what_cannot_be_checked_is_bad_input(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("hello\n")
    for arguments in (
        ["--file", str(tmp_path / "none.jsonl")],
        ["--file", str(other)],
        ["--head", "12ab", "--database", f"sqlite:///{tmp_path / 'x.db'}"],
        ["--head", str(other), "--database", f"sqlite:///{tmp_path / 'x.db'}"],
    ):
        assert isinstance(audit("verify", *arguments).exception, InvalidInput), arguments
