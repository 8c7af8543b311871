"""Transactions in both databases: all or nothing, one view for a reader, and no harm from whoever goes away."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from handraise.core.errors import HandraiseError, InvalidInput, NotCanonical
from handraise.core.log.facts import MessageSent
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from tests.patience import PATIENCE
from tests.store.samples import ANN, a_request, a_session, add_sessions, open_requests, say


async def count(store: Store, table: str) -> int:
    async def read(tx: Transaction) -> int:
        row = await tx.connection.one(f"SELECT COUNT(*) FROM {table}")
        return int(row[0]) if row else 0

    return await store.read(read)


async def test_a_failed_transaction_writes_nothing_and_disturbs_nobody(store: Store) -> None:
    await add_sessions(store, "s1")

    async def half(tx: Transaction, number: int) -> None:
        await tx.requests.open(a_request(f"lost-{number}"))
        tx.events.append("s1", MessageSent(message_id="m", text="lost"), by=ANN)
        raise LookupError(number)

    failures = [store.write(partial(half, number=number)) for number in range(20)]
    successes = [open_requests(store, a_request(f"kept-{number}")) for number in range(20)]
    mixed = [work for pair in zip(failures, successes, strict=True) for work in pair]
    outcomes = await asyncio.gather(*mixed, return_exceptions=True)
    assert [repr(outcome) for outcome in outcomes[::2]] == [f"LookupError({number})" for number in range(20)]
    assert outcomes[1::2] == [None] * 20
    assert await count(store, "requests") == 20
    assert await count(store, "events") == 0


async def test_a_statement_that_fails_undoes_its_transaction_only(store: Store) -> None:
    await add_sessions(store, "s1")

    async def broken(tx: Transaction) -> None:
        await tx.requests.open(a_request("lost"))
        await tx.connection.run("INSERT INTO no_such_table VALUES (1)")

    outcomes = await asyncio.gather(
        open_requests(store, a_request("a")), store.write(broken), open_requests(store, a_request("b")),
        return_exceptions=True,
    )  # fmt: skip
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [False, True, False]
    assert await count(store, "requests") == 2


async def test_a_cancelled_caller_does_not_stop_the_others(store: Store) -> None:
    await add_sessions(store, "s1")
    tasks = [asyncio.create_task(open_requests(store, a_request(f"r{number}"))) for number in range(40)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [outcome for outcome in outcomes[1::2] if outcome is not None] == []
    await open_requests(store, a_request("after"))
    stored = await store.read(lambda tx: tx.requests.of_run("run-1"))
    assert {f"r{number}" for number in range(1, 40, 2)} | {"after"} <= {request.id for request in stored}


async def test_a_reader_sees_one_moment(store: Store) -> None:
    """Between the two counts, a writer commits; the reader must not notice."""
    await add_sessions(store, "s1")
    loop = asyncio.get_running_loop()
    counts: list[int] = []

    async def read_twice(tx: Transaction) -> None:
        counts.append(len(await tx.requests.of_run("run-1")))
        done = asyncio.run_coroutine_threadsafe(open_requests(store, a_request()), loop)
        if threading.current_thread() is threading.main_thread():
            await asyncio.wrap_future(done)
        else:  # SQLite's reader, which waits for nothing but its connection
            done.result(timeout=PATIENCE)
        counts.append(len(await tx.requests.of_run("run-1")))

    await store.read(read_twice)
    assert counts == [0, 0]
    assert await count(store, "requests") == 1


async def test_a_write_in_a_read_is_refused(store: Store) -> None:
    with pytest.raises(RuntimeError, match="Work inside a read tried to write"):
        await store.read(lambda tx: tx.sessions.add(a_session()))
    assert await count(store, "sessions") == 0


async def test_a_transaction_sees_what_it_wrote_itself(store: Store) -> None:
    async def write_and_read(tx: Transaction) -> str:
        await tx.sessions.add(a_session(customer="new"))
        return (await tx.sessions.get("s1")).customer

    assert await store.write(write_and_read) == "new"


@pytest.mark.parametrize("text", ["lone \ud83d surrogate", float("nan"), float("inf")])
async def test_a_document_that_would_not_come_back_is_refused(store: Store, text: str | float) -> None:
    await add_sessions(store, "s1")
    with pytest.raises(NotCanonical, match="cannot keep a document"):
        await store.write(lambda tx: tx.runs.enqueue(run_id="r", session_id="s1", input={"text": text}))
    assert await count(store, "runs") == 0


async def test_a_name_that_is_half_a_character_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="cannot keep a value"):
        await store.write(lambda tx: tx.sessions.add(a_session("half \ud83d")))
    with pytest.raises(InvalidInput, match="cannot keep a value"):
        await store.read(lambda tx: tx.sessions.get("half \ud83d"))


async def test_the_clock_is_the_databases_and_near_ours(store: Store) -> None:
    now = await store.read(lambda tx: tx.now())
    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_store_can_be_opened_again_and_remembers(store: Store) -> None:
    await add_sessions(store, "s1")
    await say(store, "s1", "kept")
    await store.__aexit__(None, None, None)
    with pytest.raises(HandraiseError, match="is closed"):
        await say(store, "s1", "lost")
    with pytest.raises(HandraiseError, match="is closed"):
        await count(store, "events")
    await store.__aenter__()
    await say(store, "s1", "kept too")
    assert await count(store, "events") == 2


async def test_reading_one_is_a_single_statement_that_reads(postgres_url: str) -> None:
    async with open_store(postgres_url) as store:
        await add_sessions(store, "s1")
        assert await store.read_one(lambda tx: tx.sessions.exists("s1"))

        async def twice(tx: Transaction) -> None:
            await tx.sessions.exists("s1")
            await tx.sessions.exists("s1")

        with pytest.raises(RuntimeError, match="one statement"):
            await store.read_one(twice)
        with pytest.raises(RuntimeError, match="tried to write"):
            await store.read_one(lambda tx: tx.sessions.lock("s1"))


async def test_writing_one_is_a_single_statement_that_commits_by_itself(postgres_url: str) -> None:
    async with open_store(postgres_url) as store:
        await add_sessions(store, "s1")
        assert (await store.write_one(lambda tx: tx.sessions.lock("s1"))).id == "s1"

        async def twice(tx: Transaction) -> None:
            await tx.sessions.keep_unheard("s1", [{"said": "once"}])
            await tx.sessions.keep_unheard("s1", [{"said": "twice"}])

        with pytest.raises(RuntimeError, match="one statement"):
            await store.write_one(twice)
        assert await store.read(lambda tx: tx.sessions.undelivered("s1")) == [{"said": "once"}]


async def test_a_jot_tells_nobody_anything(store: Store) -> None:
    async def wake(tx: Transaction) -> None:
        tx.wake("runs")

    with pytest.raises(RuntimeError, match="give work that does to `write`"):
        await store.write_one(wake)


async def test_connections_that_died_while_they_lay_idle_are_replaced_without_an_error(postgres_url: str) -> None:
    import psycopg

    async with open_store(postgres_url) as store:
        await add_sessions(store, "s1")
        await asyncio.gather(*(store.read(lambda tx: tx.sessions.get("s1")) for _ in range(20)))
        for attempt in (store.read, store.write, store.read_one, store.write_one):
            async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
                await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            assert (await attempt(lambda tx: tx.sessions.get("s1"))).id == "s1"
