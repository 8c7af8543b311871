"""Every number leads to the requests behind it: the list of a filter is as long as the number, in any history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

from hypothesis import given, settings

from handraise.insights.follower import CountsFollower
from handraise.insights.report import Report
from handraise.store.connection import to_us
from handraise.store.measures import DECISIONS, LAPSES, Speed
from handraise.store.store import Store
from handraise.store.tables.request_facts import FactFilter
from tests.insights.histories import History, Step, on_record, steps, write
from tests.insights.test_counts import WHOLE, Wish, opened, told, wishes
from tests.store.test_query_plans import _NUMBERS, FILL, Recorder

EXAMPLES = 10


def numbers(report: Report) -> Iterator[tuple[int, FactFilter]]:
    """Yield every number of a report that counts requests, and the filter that lists them."""
    start, end = to_us(report.start), to_us(report.end)
    whole, total = FactFilter(created_from=start, created_to=end), report.total
    yield total.assisted, FactFilter(first=True, session_from=start, session_to=end)
    yield total.opened, whole
    for asked, count in report.types.items():
        yield count, replace(whole, type=asked)
    for kind in DECISIONS:
        yield total.decisions[kind], replace(whole, outcome=kind)
    for lapse in LAPSES:
        yield total.lapses[lapse], replace(whole, lapse=lapse)
    yield total.open, replace(whole, outcome="open")
    yield total.expired, replace(whole, outcome="expired")
    yield total.withdrawn, replace(whole, outcome="withdrawn")
    for flag in ("claimed", "decided", "doubted", "settled", "quick", "repeated"):
        yield getattr(total, flag), replace(whole, **{flag: True})  # type: ignore[arg-type]
    response = total.response
    answered = {"in_time": response.in_time, "late": response.count - response.unanswered - response.in_time}
    for speed in get_args(Speed):
        yield answered.get(speed, response.unanswered), replace(whole, speed=speed)
    for each in report.fields:
        yield each.edits, replace(whole, tool=each.tool, edited=each.field)
    for group in report.groups:
        figures, name = group.figures, group.name
        if report.by == "operator":
            yield figures.decided, replace(whole, decided_by=name)
            yield figures.quick, replace(whole, decided_by=name, quick=True)
            yield figures.claimed, replace(whole, claimer=name)
        else:
            part = replace(whole, **{report.by: name})  # type: ignore[arg-type]
            yield figures.opened, part
            yield figures.decisions["edit"], replace(part, outcome="edit")
            yield figures.response.unanswered, replace(part, speed="none")


async def listed(store: Store, where: FactFilter, now: int, *, limit: int = 3) -> list[str]:
    """Read a list to its end."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        here = cursor
        page = await store.read(lambda tx: tx.request_facts.page(where, now=now, limit=limit, cursor=here))  # noqa: B023
        found += [request.id for request in page.items]
        cursor = page.next_cursor
        if cursor is None:
            return found


def test_a_number_and_its_list_agree(database_url: str) -> None:
    with opened(database_url) as (loop, store):

        @settings(max_examples=EXAMPLES)
        @given(steps, wishes)
        def check(taken: list[Step], wish: Wish) -> None:
            history = History().play(taken)
            now = to_us(history.now) or 0

            async def run() -> None:
                await write(store, history)
                with on_record(history):
                    await CountsFollower(store).catch_up()
                    for by in ("type", "tool", "agent", "operator"):
                        report = await told(store, history, wish, by)
                        for number, where in numbers(report):
                            found = await listed(store, where, now)
                            assert (len(found), len(set(found))) == (number, number), where

            loop.run(run())

        check()


async def test_a_list_about_the_end_is_sorted_by_the_end(store: Store) -> None:
    history = History().play([(0, 0, 0, 0), (0, 3, 0, 0), (1, 3, 0, 0), (1, 13, 0, 0), (1, 13, 1, 0)])
    await write(store, history)
    with on_record(history):
        await CountsFollower(store).catch_up()
        report = await told(store, history, WHOLE, "day")
    ended = FactFilter(decided_from=to_us(report.start), decided_to=to_us(report.end))
    assert await listed(store, ended, 0, limit=1) == ["r000", "r001"]
    assert await listed(store, FactFilter(decided=True), 0, limit=1) == ["r001", "r000"]


async def test_lists_are_read_through_an_index_and_not_sorted(store: Store) -> None:
    whole: dict[str, Any] = {"created_from": 0, "created_to": 9_000}
    fill = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "INSERT INTO request_facts (request_id, session_id, session_created_at, created_at, type, tool, agent, first, "
        "repeated, outcome, closed_at, decided_by, quick, doubted, settled) SELECT 'r' || i, 's' || i, i, i, "
        "CASE i % 9 WHEN 0 THEN 'knowledge_gap' ELSE 'information_query' END, 'tool' || (i % 50), 'a', "
        "CASE i % 40 WHEN 0 THEN 1 ELSE 0 END, CASE i % 41 WHEN 0 THEN 1 ELSE 0 END, "
        "CASE i % 42 WHEN 0 THEN 'edit' ELSE 'approve' END, i, 'p' || (i % 60), "
        "CASE i % 43 WHEN 0 THEN 1 ELSE 0 END, 0, 0 FROM n"
    )
    for statement in [*(_NUMBERS + each for each in FILL), fill]:
        await store.write(lambda tx, statement=statement: tx.connection.run(statement))  # type: ignore[misc]
    await store.write(lambda tx: tx.connection.run("ANALYZE"))
    for index, where in {
        "facts_by_age": FactFilter(**whole),
        "facts_by_tool": FactFilter(**whole, tool="tool7"),
        "facts_by_decider": FactFilter(**whole, decided_by="p3"),
        "facts_by_outcome": FactFilter(**whole, outcome="edit"),
        "facts_quick": FactFilter(**whole, quick=True),
        "facts_repeated": FactFilter(**whole, repeated=True),
        "facts_first": FactFilter(first=True, session_from=0, session_to=9_000),
        "facts_by_end": FactFilter(decided_from=0, decided_to=9_000),
    }.items():
        plan = await plan_of(store, where)
        assert index in plan, plan
        assert "TEMP B-TREE" not in plan
        assert "Sort" not in plan
        assert "Seq Scan on request_facts" not in plan


async def plan_of(store: Store, where: FactFilter) -> str:
    from handraise.store.tables.request_facts import FactLists

    async def explain(tx: Any) -> str:
        recorder = Recorder(tx)
        await FactLists(recorder).page(where, now=0, limit=5)
        [(sql, params)] = recorder.asked
        word = "EXPLAIN" if tx.connection.backend == "postgresql" else "EXPLAIN QUERY PLAN"
        return "\n".join(str(row[-1]) for row in await tx.connection.all(f"{word} {sql}", params))

    return await store.read(explain)
