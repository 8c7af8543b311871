"""Lists in both databases: pages that neither skip nor repeat, filters, searches and bounded counts."""

from __future__ import annotations

from typing import Any

import pytest

from handraise.core.errors import InvalidInput
from handraise.core.requests import Request
from handraise.store.paging import Page, write_cursor
from handraise.store.store import Store, Transaction
from handraise.store.tables.idempotency import IdempotentCall
from handraise.store.tables.request_lists import Filter
from handraise.store.tables.sessions import SessionFilter
from tests.store.samples import ANN, MINUTE, NOON, a_request, a_session, add_sessions, decide, open_requests

CALL = IdempotentCall(owner="ann", key="k1", digest="d1")


async def listed(store: Store, where: Filter | None = None, **options: Any) -> Page[Request]:
    options = {"status": None, "limit": 100, **options}
    return await store.read(lambda tx: tx.requests.list_all(where or Filter(), **options))


def ids(page: Page[Request]) -> list[str]:
    return [request.id for request in page.items]


async def test_requests_of_every_status_are_listed_newest_first(store: Store) -> None:
    await add_sessions(store, "s1")
    requests = [a_request(f"r{number}", created_at=NOON + MINUTE * (number // 2)) for number in range(7)]
    await open_requests(store, *requests)
    await decide(store, requests[3], by=ANN)

    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await listed(store, limit=2, cursor=cursor)
        found += ids(page)
        cursor = page.next_cursor
        if cursor is None:
            break

    assert found == ["r6", "r5", "r4", "r3", "r2", "r1", "r0"]
    assert ids(await listed(store, status="decided")) == ["r3"]
    with pytest.raises(InvalidInput, match="cursor"):
        await store.read(lambda tx: tx.requests.list_open(Filter(), limit=1, cursor=write_cursor(1, "r0")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("退款", ["zh"]),
        ('say "yes"', ["quoted"]),
        ("100%", ["percent"]),
        ("REFUND", ["quoted", "percent", "zh"]),
        ("nothing like it", []),
    ],
)
async def test_a_search_finds_a_text_in_what_was_asked(store: Store, text: str, expected: list[str]) -> None:
    await add_sessions(store, "s1")
    await open_requests(
        store,
        a_request("zh", question="要不要退款？"),
        a_request("quoted", question='Please say "yes"', created_at=NOON + MINUTE * 2),
        a_request("percent", description="100% back", created_at=NOON + MINUTE),
    )

    assert ids(await listed(store, Filter(search=text))) == expected


async def test_a_request_without_a_type_counts_as_what_it_is(store: Store) -> None:
    await add_sessions(store, "s1")
    await open_requests(store, a_request("review"), a_request("plain", kind="question"))

    assert ids(await listed(store, Filter(question_type="risk_confirmation"))) == ["review"]
    assert ids(await listed(store, Filter(question_type="information_query"))) == ["plain"]


async def test_counting_stops_where_it_is_told_to(store: Store) -> None:
    await add_sessions(store, "s1")
    await open_requests(store, *(a_request(f"r{number}") for number in range(5)))

    assert await store.read(lambda tx: tx.requests.count_listed(Filter(), at_most=3)) == 3
    assert await store.read(lambda tx: tx.requests.count_listed(Filter(), at_most=100)) == 5


async def test_sessions_are_listed_newest_first_and_filtered(store: Store) -> None:
    async def add(tx: Transaction) -> None:
        for number in range(5):
            changes = {"created_at": NOON + MINUTE * number, "status": "error" if number == 2 else "active"}
            await tx.sessions.add(a_session(f"s{number}", **changes))

    await store.write(add)
    first = await store.read(lambda tx: tx.sessions.page(SessionFilter(), limit=3))
    rest = await store.read(lambda tx: tx.sessions.page(SessionFilter(), limit=3, cursor=first.next_cursor))
    failed = await store.read(lambda tx: tx.sessions.page(SessionFilter(status="error"), limit=3))

    assert [session.id for session in first.items + rest.items] == ["s4", "s3", "s2", "s1", "s0"]
    assert rest.next_cursor is None
    assert [session.id for session in failed.items] == ["s2"]


async def test_a_reply_is_kept_with_what_it_changed_or_not_at_all(store: Store) -> None:
    async def answer(tx: Transaction) -> str | None:
        before = await tx.idempotency_keys.reserve(CALL)
        if before is None:
            await tx.idempotency_keys.keep(CALL, "done")
        return before

    async def fail(tx: Transaction) -> None:
        await tx.idempotency_keys.reserve(CALL)
        raise InvalidInput("something did not fit")

    with pytest.raises(InvalidInput, match="did not fit"):
        await store.write(fail)

    assert [await store.write(answer) for _ in range(2)] == [None, "done"]
    other = IdempotentCall(owner="ann", key="k1", digest="d2")
    with pytest.raises(InvalidInput, match="was used for another call"):
        await store.write(lambda tx: tx.idempotency_keys.reserve(other))
    theirs = IdempotentCall(owner="ben", key="k1", digest="d2")
    assert await store.write(lambda tx: tx.idempotency_keys.reserve(theirs)) is None
    assert await store.write(lambda tx: tx.idempotency_keys.forget_old()) == 0


async def test_tickets_are_numbered_and_listed_oldest_first(store: Store) -> None:
    await add_sessions(store, "s1")

    async def open_two(tx: Transaction) -> list[int]:
        return [(await tx.tickets.open(a_request(r, question="?"))).number for r in ("r1", "r2")]

    numbers = await store.write(open_two)
    ticket = await store.read(lambda tx: tx.tickets.get(numbers[0]))
    answered = ticket.reply("tomorrow", by=ANN, at=NOON)

    assert await store.write(lambda tx: tx.tickets.answer(answered))
    assert not await store.write(lambda tx: tx.tickets.answer(answered))
    assert await store.read(lambda tx: tx.tickets.get(numbers[0])) == answered
    page = await store.read(lambda tx: tx.tickets.page(status=None, limit=1))
    rest = await store.read(lambda tx: tx.tickets.page(status="open", limit=5, cursor=page.next_cursor))
    assert [item.number for item in page.items + rest.items] == numbers == sorted(numbers)
