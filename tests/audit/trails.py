"""A trail of 500 events, and single rows to break in it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from handraise.audit.checking import check_store
from handraise.audit.findings import Verdict
from handraise.audit.sealer import seal_all
from handraise.core.decisions import Edit
from handraise.core.log.facts import Fact, MessageReceived, MessageSent, RequestDecided, RequestOpened, ToolCalled
from handraise.store.store import Store, Transaction
from tests.store.samples import ANN, BEN, NOON, a_request, add_sessions

EVENTS = 500
SESSIONS = 20
COLUMNS = (
    "seq", "session_id", "session_seq", "at", "name", "key", "actor", "fact", "gist", "salt", "digest", "hash",
)  # fmt: skip


def a_fact(number: int) -> Fact:
    request = a_request(f"r{number}", session_id=f"s{number % SESSIONS}", description=f"客户 {number} wants it")
    match number % 5:
        case 0:
            return MessageReceived(message_id=f"m{number}", run_id="run", text=f"message {number} 你好")
        case 1:
            return ToolCalled(tool_call_id=f"c{number}", tool="refund", args={"amount": number})
        case 2:
            return RequestOpened(request=request)
        case 3:
            return RequestDecided(request=request.decide(Edit(args={"order": "A-7", "amount": 1}), by=ANN, at=NOON))
        case _:
            return MessageSent(message_id=f"m{number}", text=f"answer {number}")


async def write_trail(store: Store, *, sealed: int = EVENTS - 20) -> None:
    """Write 500 events over 20 sessions; the last few are not sealed yet."""
    await add_sessions(store, *(f"s{number}" for number in range(SESSIONS)))
    for first in range(0, EVENTS, 10):

        async def ten(tx: Transaction, first: int = first) -> None:
            for number in range(first, first + 10):
                by = (ANN, BEN)[number % 2]
                if number % 3:
                    tx.events.append(f"s{number % SESSIONS}", a_fact(number), by=by)
                else:
                    await tx.events.append_once(f"s{number % SESSIONS}", a_fact(number), by=by, key=f"k{number}")

        await store.write(ten)
        if first % 100 == 90 and first < sealed:
            await seal_all(store)


Rows = list[dict[str, Any]]


async def read_rows(store: Store) -> Rows:
    async def work(tx: Transaction) -> Rows:
        rows = await tx.connection.all(f"SELECT {', '.join(COLUMNS)} FROM events ORDER BY seq")
        return [dict(zip(COLUMNS, row, strict=True)) for row in rows]

    return await store.read(work)


@dataclass(frozen=True)
class Attack:
    """One way to break one row, and the sessions that must be named for it."""

    title: str
    statements: list[tuple[str, dict[str, Any]]]
    sessions: frozenset[str]


def attacks(rows: Rows, count: int, chance: random.Random) -> list[Attack]:
    """Return `count` different attacks: flips, deletions, swaps and insertions of single rows."""
    makers: list[Callable[[Rows, random.Random], Attack]] = [_flip, _delete, _swap, _insert]
    found: dict[str, Attack] = {}
    while len(found) < count:
        attack = makers[len(found) % len(makers)](rows, chance)
        found.setdefault(attack.title, attack)
    return list(found.values())


def _flip(rows: Rows, chance: random.Random) -> Attack:
    row, column = chance.choice(rows), chance.choice(COLUMNS)
    value, place = row[column], chance.randrange(1000)
    match column:
        case "seq":
            new: Any = EVENTS + 1 + place
        case "session_seq":
            new = value + 1000 + place
        case "at":
            new = value ^ (1 << place % 30)
        case "session_id":
            new = next(other for other in ("s1", "s2") if other != value)
        case "key":
            new = "other" if value else "new"
        case "actor":
            new = value.replace("ann", "eve").replace("ben", "eve")
        case _:
            new = _one_letter(value, place)
    # Far away, where the other session has no event of that number.
    away = "session_seq = session_seq + 5000, " if column == "session_id" else ""
    return Attack(
        f"flip {column} of {row['seq']} to {new!r}",
        [(f"UPDATE events SET {away}{column} = :new WHERE seq = :seq", {"new": new, "seq": row["seq"]})],
        frozenset({row["session_id"], new} if column == "session_id" else {row["session_id"]}),
    )


def _one_letter(text: str, place: int) -> str:
    """Change one letter inside a value, so that a document stays a document."""
    inside = [range(*match.span()) for match in re.finditer(r'"[^"]*"', text)] or [range(len(text))]
    letters = [index for part in inside for index in part if text[index].isalnum() and text[index].isascii()]
    index = letters[place % len(letters)]
    return f"{text[:index]}{'3' if text[index] != '3' else '4'}{text[index + 1 :]}"


def _delete(rows: Rows, chance: random.Random) -> Attack:
    row = chance.choice(rows)
    return Attack(
        f"delete {row['seq']}",
        [("DELETE FROM events WHERE seq = :seq", {"seq": row["seq"]})],
        frozenset({row["session_id"]}),
    )


def _swap(rows: Rows, chance: random.Random) -> Attack:
    """Let two rows change places: in the store, in their session, or in what they say."""
    one, other = chance.sample(rows, 2)
    column = chance.choice(["seq", "place", "fact", "at", "actor", "whole content"])
    columns = {
        "place": ["session_id", "session_seq"],
        "whole content": ["name", "key", "actor", "fact", "gist", "salt", "digest"],
    }.get(column, [column])
    changes = [name for name in columns if one[name] != other[name]]
    away = -1 - one["seq"]
    aside = {"seq": ("seq", away), "place": ("session_seq", away)}.get(column)
    if "key" in changes:
        aside = ("key", None)
    statements: list[tuple[str, dict[str, Any]]] = []
    one_seq = one["seq"]
    if aside:
        statements.append(
            (f"UPDATE events SET {aside[0]} = :aside WHERE seq = :seq", {"aside": aside[1], "seq": one_seq})
        )
        one_seq = away if column == "seq" else one_seq
    sets = ", ".join(f"{name} = :{name}" for name in changes) or "at = at + 1"
    for row, where in ((one, other["seq"]), (other, one_seq)):
        sql = f"UPDATE events SET {sets} WHERE seq = :where"
        statements.append((sql, {**{name: row[name] for name in changes}, "where": where}))
    return Attack(
        f"swap {column} of {one['seq']} and {other['seq']}",
        statements,
        frozenset({one["session_id"], other["session_id"]}),
    )


def _insert(rows: Rows, chance: random.Random) -> Attack:
    """Add a row that looks like another: between others, at the end, or at the end with the counters moved too."""
    row = chance.choice(rows)
    last = max(each["session_seq"] for each in rows if each["session_id"] == row["session_id"])
    seq, session_seq = chance.choice([(EVENTS + 1, last + 1), (0, 0), (-chance.randrange(1, 99), last + 1)])
    statements: list[tuple[str, dict[str, Any]]] = [
        (
            f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join(f':{name}' for name in COLUMNS)})",
            {**row, "seq": seq, "session_seq": session_seq, "key": None},
        )
    ]
    moved = chance.random() < 0.5
    if moved:
        statements += [
            ("UPDATE counters SET value = value + 1 WHERE name = 'events'", {}),
            ("UPDATE sessions SET last_seq = last_seq + 1 WHERE id = :id", {"id": row["session_id"]}),
        ]
    return Attack(
        f"insert {row['seq']} as {seq}{' with counters' if moved else ''}", statements, frozenset({row["session_id"]})
    )


class Undone(Exception):
    """Rolls an attack back."""


async def broken_by(store: Store, attack: Attack) -> Verdict:
    """Carry an attack out, check the trail in the same transaction, and undo it."""
    verdicts: list[Verdict] = []

    async def work(tx: Transaction) -> None:
        for sql, params in attack.statements:
            await tx.connection.run(sql, params)
        verdicts.append(await check_store(_Inside(tx)))
        raise Undone

    with suppress(Undone):
        await store.write(work)
    return verdicts[0]


class _Inside(Store):
    """A store whose reads are those of one transaction, so that what it has not committed is seen."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    async def read(self, work: Callable[[Transaction], Any], /) -> Any:
        return await work(self._tx)
