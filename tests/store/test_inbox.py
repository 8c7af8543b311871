"""The inbox in both databases: what is listed first, and pages that neither skip nor repeat."""

from __future__ import annotations

import base64
import itertools
import random

import pytest

from handraise.core.errors import InvalidInput
from handraise.core.requests import Request
from handraise.store.paging import Page
from handraise.store.store import Store
from handraise.store.tables.request_lists import Filter
from tests.store.samples import ANN, MINUTE, NOON, a_request, add_sessions, decide, open_requests

EVERYTHING = Filter()


async def page(
    store: Store, where: Filter = EVERYTHING, *, limit: int = 100, cursor: str | None = None
) -> Page[Request]:
    return await store.read(lambda tx: tx.requests.list_open(where, limit=limit, cursor=cursor))


async def test_the_most_urgent_comes_first_then_the_soonest_deadline_then_the_oldest(store: Store) -> None:
    await add_sessions(store, "s1")
    in_order = [
        a_request("h", urgency="high", deadline=NOON + MINUTE * 9),
        a_request("g", urgency="high", created_at=NOON - MINUTE),
        a_request("f", urgency="high"),
        a_request("e", deadline=NOON + MINUTE),
        a_request("d", deadline=NOON + MINUTE * 2),
        a_request("b"),
        a_request("c"),
        a_request("a", urgency="low", deadline=NOON - MINUTE),
    ]
    await open_requests(store, *random.Random(1).sample(in_order, len(in_order)))
    assert (await page(store)).items == in_order


async def test_filters_choose_and_combine(store: Store) -> None:
    await add_sessions(store, "s1", "s2")
    await open_requests(
        store,
        a_request("1", audience="customer"),
        a_request("2", urgency="low", kind="question", question_type="knowledge_gap"),
        a_request("3", session_id="s2", urgency="low"),
        a_request("4"),
    )
    await decide(store, a_request("4"), by=ANN)

    async def ids(where: Filter) -> list[str]:
        return [request.id for request in (await page(store, where)).items]

    assert await ids(EVERYTHING) == ["1", "2", "3"]
    assert await ids(Filter(audience="customer")) == ["1"]
    assert await ids(Filter(urgency="low")) == ["2", "3"]
    assert await ids(Filter(question_type="knowledge_gap")) == ["2"]
    assert await ids(Filter(session_id="s2")) == ["3"]
    assert await ids(Filter(session_id="s1", urgency="low", audience="operator")) == ["2"]
    assert await ids(Filter(session_id="s2", audience="customer")) == []


async def test_pages_neither_skip_nor_repeat_while_others_write(store: Store) -> None:
    await add_sessions(store, "s1")
    dice = random.Random(7)

    def any_request(id: str) -> Request:
        return a_request(
            id,
            urgency=dice.choice(["low", "medium", "high"]),
            deadline=dice.choice([None, NOON, NOON + MINUTE]),
            created_at=NOON + MINUTE * dice.randrange(5),
        )

    there = [any_request(f"old-{number:03}") for number in range(230)]
    await open_requests(store, *there)
    seen: list[str] = []
    cursor = None
    for number in itertools.count():
        current = await page(store, limit=23, cursor=cursor)
        seen += [request.id for request in current.items]
        if current.next_cursor is None:
            break
        cursor = current.next_cursor
        await open_requests(store, *(any_request(f"new-{number}-{index}") for index in range(5)))
        await decide(store, current.items[0], by=ANN)
    assert len(seen) == len(set(seen))
    assert sorted(name for name in seen if name.startswith("old")) == sorted(request.id for request in there)


async def test_the_last_page_names_no_next_one(store: Store) -> None:
    await add_sessions(store, "s1")
    await open_requests(store, a_request("a"), a_request("b"))
    assert (await page(store, limit=2)).next_cursor is None
    assert (await page(store, limit=1)).next_cursor is not None
    assert await page(store, Filter(urgency="high")) == Page(items=[], next_cursor=None)


@pytest.mark.parametrize(
    "cursor",
    ["", "nonsense", "é", "A" * 5000]
    + [
        base64.urlsafe_b64encode(text.encode()).decode()
        for text in (
            "[1,2,3]",
            '[1,2,3,"a\\u0000"]',
            f'[{2**70},2,3,"a"]',
            '[1e999,2,3,"a"]',
            '{"a":1}',
            "[" * 2000,
            '[1,2,3,"\\ud83d"]',
        )
    ],
)
async def test_a_cursor_that_no_list_gave_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="The cursor is not one that a list gave"):
        await page(store, cursor=cursor)


async def test_a_page_holds_at_least_one(store: Store) -> None:
    with pytest.raises(InvalidInput, match="cannot hold 0 rows"):
        await page(store, limit=0)
