"""Channels: what is told, signed and retried, on both databases, to a real receiver."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from handraise.channels import carrier as carrier_module
from handraise.channels.addresses import is_public
from handraise.channels.apprise_channel import AppriseChannel
from handraise.channels.carrier import LONGEST_WAIT, until_next_look
from handraise.channels.channel import NotDelivered
from handraise.channels.courier import GIVEN_UP, Courier
from handraise.channels.notices import Notice, Occasion
from handraise.channels.signing import sign, verify
from handraise.channels.webhook import Webhook
from handraise.core.actors import CLOCK
from handraise.core.errors import Misconfigured
from handraise.core.log.facts import RequestDecided, RequestOpened, RequestReminded
from handraise.core.requests import Request
from handraise.store.store import Store, Transaction
from tests.channels.receiver import Receiver, receiving
from tests.patience import patiently
from tests.store.samples import NOON, a_request, add_sessions

SECRET = "a secret of sixteen"
EVERYTHING: tuple[Occasion, ...] = ("new", "urgent", "soon_due")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def courier(store: Store, receiver: Receiver, *, tell: tuple[Occasion, ...] = EVERYTHING) -> Courier:
    webhook = Webhook(f"{receiver.url}/hook", secret=SECRET, private=True)
    return Courier(store, [webhook], tell=tell, address="https://desk.example", first_retry=timedelta(milliseconds=1))


async def happen(store: Store, *facts: RequestOpened | RequestReminded | RequestDecided) -> None:
    async def append(tx: Transaction) -> None:
        for fact in facts:
            tx.events.append("s1", fact, by=CLOCK)

    await store.write(append)


async def until(ready: Callable[[], Any]) -> None:
    for _ in patiently():
        if ready():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came")


def opened(id: str, **changes: Any) -> RequestOpened:
    return RequestOpened(request=a_request(id, **changes))


async def test_new_urgent_and_soon_due_requests_are_told_signed(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    due = a_request("due", deadline=NOON + timedelta(minutes=5))
    async with courier(store, receiver):
        await happen(store, opened("new"), opened("urgent", urgency="high"), RequestReminded(request=due))
        await happen(store, opened("theirs", audience="customer"))
        await until(lambda: len(receiver.got) == 3)

    told = {notice["request_id"]: notice for notice in (json.loads(body) for _, body in receiver.got)}
    assert {request_id: notice["event"] for request_id, notice in told.items()} == {
        "new": "request.new",
        "urgent": "request.urgent",
        "due": "request.soon_due",
    }
    assert told["due"]["link"] == "https://desk.example/console/requests/due"
    assert "42.5" not in str(told), "what would run stays inside"
    for headers, body in receiver.got:
        assert verify(body, headers["handraise-signature"], secret=SECRET, now=int(time.time()))


async def test_only_the_chosen_occasions_are_told(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    async with courier(store, receiver, tell=("urgent",)):
        await happen(store, opened("new"), RequestReminded(request=a_request("due")), opened("u", urgency="high"))
        await until(lambda: receiver.got)

    assert [json.loads(body)["request_id"] for _, body in receiver.got] == ["u"]


async def test_a_failed_delivery_is_made_again_under_the_same_number(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    receiver.answers = [500, 503]
    async with courier(store, receiver):
        await happen(store, opened("r1"))
        await until(lambda: len(receiver.got) == 3)

    numbers = {headers["handraise-delivery"] for headers, _ in receiver.got}
    assert len(numbers) == 1
    assert len({body for _, body in receiver.got}) == 1


async def test_a_crash_between_reading_and_telling_loses_and_doubles_nothing(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    first = courier(store, receiver)
    await first.begin_now()
    await happen(store, opened("r1"), opened("r2"))
    await first.catch_up()  # ... and here the process dies; another one takes over
    await happen(store, opened("r3"))

    async with courier(store, receiver):
        await until(lambda: len(receiver.got) == 3)
        await asyncio.sleep(0.1)

    assert sorted(json.loads(body)["request_id"] for _, body in receiver.got) == ["r1", "r2", "r3"]


async def test_several_couriers_on_one_database_tell_each_thing_once(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    async with courier(store, receiver), courier(store, receiver), courier(store, receiver):
        for number in range(20):
            await happen(store, opened(f"r{number}"))
        await until(lambda: len(receiver.got) >= 20)
        await asyncio.sleep(0.1)

    assert len(receiver.got) == 20
    assert len({json.loads(body)["request_id"] for _, body in receiver.got}) == 20


async def test_what_was_there_before_the_first_start_is_not_told(store: Store, receiver: Receiver) -> None:
    await add_sessions(store, "s1")
    await happen(store, opened("old"))
    async with courier(store, receiver):
        await happen(store, opened("new"))
        await until(lambda: receiver.got)

    assert [json.loads(body)["request_id"] for _, body in receiver.got] == ["new"]


def a_notice() -> Any:
    from handraise.channels.notices import notice_of
    from handraise.core.log.facts import Event

    request: Request = a_request("r1")
    event = Event(seq=1, session_id="s1", session_seq=1, at=NOON, actor=CLOCK, fact=RequestOpened(request=request))
    return notice_of(event, tell=EVERYTHING, address="https://desk.example")


async def test_a_private_address_is_refused_and_never_connected_to(receiver: Receiver) -> None:
    webhook = Webhook(f"{receiver.url}/hook", secret=SECRET)

    with pytest.raises(NotDelivered, match="private address") as refused:
        await webhook.deliver(a_notice(), number=1)

    assert refused.value.final
    assert receiver.got == []


async def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [302]

    with pytest.raises(NotDelivered, match="302"):
        await Webhook(f"{receiver.url}/hook", secret=SECRET, private=True).deliver(a_notice(), number=1)

    assert len(receiver.got) == 1


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("fd00::1", False),
    ],
)
def test_only_the_open_network_is_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_signature_holds_for_its_body_its_secret_and_its_time() -> None:
    signature = sign(b"{}", secret=SECRET, at=1000)

    assert verify(b"{}", signature, secret=SECRET, now=1100)
    assert not verify(b"{ }", signature, secret=SECRET, now=1100)
    assert not verify(b"{}", signature, secret="another secret 16", now=1100)
    assert not verify(b"{}", signature, secret=SECRET, now=1400)
    assert not verify(b"{}", "nonsense", secret=SECRET, now=1000)


async def test_apprise_sends_what_people_read(receiver: Receiver) -> None:
    channel = AppriseChannel(receiver.url.replace("http", "json"))

    await channel.deliver(a_notice(), number=1)

    [(_, body)] = receiver.got
    assert json.loads(body)["title"] == "New request: refund"
    assert "https://desk.example/console/requests/r1" in json.loads(body)["message"]
    assert receiver.url not in channel.name


async def test_apprise_that_is_refused_is_tried_again_later(receiver: Receiver) -> None:
    receiver.answers = [500]

    with pytest.raises(NotDelivered):
        await AppriseChannel(receiver.url.replace("http", "json")).deliver(a_notice(), number=1)


def test_an_address_that_apprise_does_not_know_is_a_setting_to_mend() -> None:
    with pytest.raises(Misconfigured, match="does not understand the address nonsense://"):
        AppriseChannel("nonsense://password@host")


class Peculiar:
    """A channel that fails in ways of its own, then never answers, then works."""

    name = "peculiar"

    def __init__(self) -> None:
        self.attempts = 0
        self.delivered: list[int] = []

    async def deliver(self, notice: Notice, *, number: int) -> None:
        self.attempts += 1
        if self.attempts == 1:
            raise ZeroDivisionError("a mistake in the channel")
        if self.attempts == 2:
            await asyncio.Event().wait()
        self.delivered.append(number)


async def test_a_channel_that_breaks_or_never_answers_does_not_end_the_courier(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrier_module, "PATIENCE", timedelta(milliseconds=50))
    channel = Peculiar()
    await add_sessions(store, "s1")
    once = Courier(store, [channel], tell=EVERYTHING, address="", first_retry=timedelta(milliseconds=1))
    async with once:
        await happen(store, opened("r1"))
        await until(lambda: channel.delivered)
    assert channel.attempts == 3


def test_a_delivery_that_is_due_this_very_moment_does_not_wait_for_the_next_round() -> None:
    assert until_next_look(timedelta(0)) == timedelta(0)
    assert until_next_look(timedelta(milliseconds=3)) == timedelta(milliseconds=3)
    assert until_next_look(timedelta(hours=1)) == LONGEST_WAIT
    assert until_next_look(None) == LONGEST_WAIT


class Listening:
    """A channel that keeps what it is told; a dead one never answers."""

    def __init__(self, name: str, *, dead: bool = False) -> None:
        self.name = name
        self.dead = dead
        self.told: list[str] = []

    async def deliver(self, notice: Notice, *, number: int) -> None:
        if self.dead:
            await asyncio.Event().wait()
        self.told.append(notice.request_id)


async def test_a_channel_that_never_answers_holds_up_no_other(store: Store) -> None:
    await add_sessions(store, "s1")
    dead, well = Listening("dead", dead=True), Listening("well")
    async with Courier(store, [dead, well], tell=EVERYTHING, address=""):
        for number in range(20):
            await happen(store, opened(f"r{number}"))
        await until(lambda: len(well.told) == 20)


async def test_a_process_leaves_notices_for_channels_that_it_does_not_have_to_those_that_have_them(
    store: Store,
) -> None:
    await add_sessions(store, "s1")
    here, there = Listening("here"), Listening("there")
    newer = Courier(store, [here, there], tell=EVERYTHING, address="")
    await newer.begin_now()
    await happen(store, opened("r1"))
    await newer.catch_up()
    async with Courier(store, [here], tell=EVERYTHING, address=""):  # of an older release
        await until(lambda: here.told)
    async with newer:
        await until(lambda: there.told)
    assert (here.told, there.told) == (["r1"], ["r1"])


async def test_what_waits_for_a_channel_that_nobody_serves_is_given_up_after_a_day(store: Store) -> None:
    async def waiting(tx: Transaction) -> None:
        await tx.outbox.add(channel="gone", seq=1, notice={})
        await tx.outbox.add(channel="gone", seq=2, notice={})
        await tx.connection.run(
            "UPDATE outbox SET not_before = not_before - :age WHERE seq = 1",
            {"age": GIVEN_UP // timedelta(microseconds=1) + 1},
        )

    await store.write(waiting)
    assert await store.write(lambda tx: tx.outbox.drop_unknown(["here"], older_than=GIVEN_UP)) == ["gone"]
    assert await store.write(lambda tx: tx.outbox.drop_unknown(["here"], older_than=GIVEN_UP)) == []
    assert await store.read(lambda tx: tx.outbox.until_due("gone")) is not None
