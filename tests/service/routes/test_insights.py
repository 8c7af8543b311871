"""The numbers over HTTP: the report, its zones, its CSV, who may see them, and the lists behind them."""

from __future__ import annotations

import asyncio
import csv
import io
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from handraise.service.settings.settings import Settings
from handraise.store.opening import open_store
from handraise.store.tables.people import new_secret
from tests.service.desk import RunningDesk
from tests.service.talking import chat, only

INSIGHTS = "/api/v1/insights"


@pytest.fixture(scope="module")
def asked(desk: RunningDesk) -> str:
    """A desk where something was asked, answered, rejected and left; return the id of what was answered."""
    with desk.visitor() as customer, desk.program() as operator:
        answered = only(chat(customer, "我的订单什么时候发货?")[1], "waiting")["request_id"]
        rejected = only(chat(customer, "refund")[1], "waiting")["request_id"]
        chat(customer, "refund")
        left = only(chat(customer, "please self-service")[1], "waiting")["request_id"]
        chat(customer, "hello")
        operator.post(f"/api/v1/requests/{answered}/decision", json={"type": "respond", "text": "Tomorrow."})
        operator.post(f"/api/v1/requests/{rejected}/decision", json={"type": "reject", "reason": "No."})
        while operator.get(f"/api/v1/requests/{left}").json()["status"] != "expired":
            time.sleep(0.05)
    return str(answered)


@pytest.fixture
def program(desk: RunningDesk, asked: str) -> Iterator[httpx.Client]:
    """A program that may read figures and the inbox, on numbers that are up to date."""
    secret = new_secret("key")

    async def issue() -> None:
        async with open_store(desk.database_url) as store:
            await store.write(lambda tx: tx.people.issue("key", scopes=("insights", "inbox"), secret=secret))

    asyncio.run(issue())
    with desk.program(secret) as client:
        while client.get(INSIGHTS).json()["behind"]:
            time.sleep(0.05)
        yield client


def everything(client: httpx.Client, **query: str) -> dict[str, str]:
    """Return the parameters that list all requests that a figure counts."""
    report = client.get(INSIGHTS).json()
    return {"status": "all", "limit": "200", "created_from": report["from"], "created_to": report["to"], **query}


def test_a_report_counts_what_happened(program: httpx.Client, asked: str) -> None:
    report = program.get(INSIGHTS, params={"by": "tool"}).json()
    total = report["total"]

    assert total["sessions"] > total["assisted"] >= 4
    assert total["opened"] == total["open"] + total["decided"] + total["expired"] + total["withdrawn"]
    assert total["decisions"]["respond"] >= 1
    assert total["lapses"]["self_service"] >= 1
    assert total["response"]["count"] >= total["decided"]
    assert {group["name"] for group in report["groups"]} == {"refund", ""}
    assert report["open_now"]["count"] >= 1


@pytest.mark.parametrize(
    ("number", "query"),
    [
        ("opened", {}),
        ("decided", {"decided": "true"}),
        ("expired", {"outcome": "expired"}),
        ("repeated", {"repeated": "true"}),
        ("claimed", {"claimed": "true"}),
    ],
)
def test_a_number_is_as_large_as_its_list(program: httpx.Client, number: str, query: dict[str, str]) -> None:
    listed = program.get("/api/v1/requests", params=everything(program, **query)).json()

    assert program.get(INSIGHTS).json()["total"][number] == len(listed["items"])


def test_a_list_takes_the_filters_of_the_inbox_too(program: httpx.Client, asked: str) -> None:
    query = everything(program, outcome="respond", question_type="information_query", search="12345")
    found = program.get("/api/v1/requests", params=query).json()["items"]

    assert asked in {request["id"] for request in found}
    assert {request["decision"]["type"] for request in found} == {"respond"}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/New_York"])
def test_days_are_those_of_the_zone_and_add_up(program: httpx.Client, zone: str) -> None:
    today = datetime.now(UTC)
    query = {
        "zone": zone,
        "by": "day",
        "from": f"{today - timedelta(days=3):%Y-%m-%d}",
        "to": f"{today:%Y-%m-%dT%H:%M}Z",
    }
    report = program.get(INSIGHTS, params=query).json()

    assert sum(group["figures"]["opened"] for group in report["groups"]) == report["total"]["opened"]
    assert [group["from"] for group in report["groups"][1:]] == [group["to"] for group in report["groups"][:-1]]
    local = program.get(INSIGHTS, params=query | {"by": "hour"}).json()["groups"][1]["from"]
    assert local[14:16] == {"Asia/Kolkata": "30", "Asia/Kathmandu": "15"}.get(zone, "00")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"zone": "Mars/Olympus"}, "There is no time zone"),
        ({"from": "yesterday"}, "is no time"),
        ({"from": "2026-01-02", "to": "2026-01-01"}, "ends before it begins"),
        ({"from": "2020-01-01", "to": "2026-01-01", "by": "hour"}, "more than 1200 hours"),
        ({"from": "1066-10-14"}, "out of range"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused_with_words(
    program: httpx.Client, query: dict[str, str], words: str
) -> None:
    refused = program.get(INSIGHTS, params=query)

    assert refused.status_code == 422
    assert words in refused.json()["detail"]


@pytest.mark.parametrize("by", ["tool", "day"])
def test_the_csv_says_what_the_report_says(program: httpx.Client, by: str) -> None:
    report = program.get(INSIGHTS, params={"by": by}).json()
    answer = program.get(f"{INSIGHTS}.csv", params={"by": by})
    rows = list(csv.DictReader(io.StringIO(answer.text)))

    assert answer.headers["content-type"].startswith("text/csv")
    assert [row["name"] for row in rows] == [*(group["name"] for group in report["groups"]), ""]
    assert int(rows[-1]["opened"]) == report["total"]["opened"]
    assert int(rows[0]["reject"]) == report["groups"][0]["figures"]["decisions"]["reject"]


def test_operators_see_their_own_numbers(desk: RunningDesk, program: httpx.Client) -> None:
    with desk.program() as admin:
        mine = admin.get(f"{INSIGHTS}/mine").json()

    assert mine["operator"] == "admin"
    assert mine["total"]["decided"] >= 2
    assert mine["fields"] == []


def test_a_name_is_never_a_formula() -> None:
    from handraise.insights.table import _harmless

    assert [_harmless(text) for text in ("=1+1", "@x", "refund", "")] == ["'=1+1", "'@x", "refund", ""]


@pytest.mark.parametrize(
    ("settings", "is_open"),
    [
        (Settings(), True),
        (Settings(host="0.0.0.0"), False),
        (Settings(public_url="https://help.example"), False),
        (Settings(metrics="key"), False),
        (Settings(host="0.0.0.0", metrics="always"), True),
    ],
)
def test_metrics_are_open_where_only_this_machine_can_ask(settings: Settings, is_open: bool) -> None:
    assert settings.metrics_are_open is is_open
