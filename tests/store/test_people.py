"""Operators and credentials in both databases."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from handraise.core.errors import NotFound
from handraise.store.store import Store, Transaction
from handraise.store.tables.people import PREFIXES, hash_of, new_secret

HOUR = timedelta(hours=1)
OVER = timedelta(seconds=-1)


async def add_ada(store: Store) -> bool:
    return await store.write(lambda tx: tx.people.add_operator("ada", name="Ada 林", role="lead"))


async def test_an_operator_comes_back_as_stored_and_is_added_once(store: Store) -> None:
    assert await add_ada(store)
    assert not await store.write(lambda tx: tx.people.add_operator("ada", name="Another", role="admin"))

    ada = await store.read(lambda tx: tx.people.operator("ada"))

    assert (ada.id, ada.name, ada.role) == ("ada", "Ada 林", "lead")
    with pytest.raises(NotFound, match="no operator 'nobody'"):
        await store.read(lambda tx: tx.people.operator("nobody"))


async def test_of_those_who_add_the_same_operator_at_once_one_wins(store: Store) -> None:
    added = await asyncio.gather(*(add_ada(store) for _ in range(20)))

    assert sum(added) == 1


async def test_only_the_hash_of_a_secret_is_kept(store: Store) -> None:
    secret = new_secret("key")
    await store.write(lambda tx: tx.people.issue("key", name="bot", scopes=("chat",), secret=secret))

    async def rows(tx: Transaction) -> str:
        return str(await tx.connection.all("SELECT * FROM credentials"))

    kept = await store.read(rows)
    assert hash_of(secret) in kept
    assert secret.removeprefix(PREFIXES["key"]) not in kept


async def test_a_secret_stands_for_what_it_was_issued_for(store: Store) -> None:
    await add_ada(store)
    secret, token = new_secret("cookie"), new_secret("session")

    async def issue(tx: Transaction) -> None:
        await tx.people.issue("cookie", operator_id="ada", lifetime=HOUR, secret=secret)
        await tx.people.issue("session", session_id="s1", secret=token)

    await store.write(issue)
    cookie = await store.read(lambda tx: tx.people.find(secret))
    session = await store.read(lambda tx: tx.people.find(token))

    assert cookie is not None
    assert cookie.operator is not None
    assert (cookie.kind, cookie.operator.id) == ("cookie", "ada")
    assert session is not None
    assert (session.kind, session.session_id, session.operator) == ("session", "s1", None)
    assert await store.read(lambda tx: tx.people.find(secret + "x")) is None


async def test_a_secret_that_is_over_opens_nothing(store: Store) -> None:
    late, revoked = new_secret("key"), new_secret("key")

    async def issue(tx: Transaction) -> bool:
        await tx.people.issue("key", lifetime=OVER, secret=late)
        return await tx.people.end(await tx.people.issue("key", secret=revoked))

    assert await store.write(issue)
    assert await store.read(lambda tx: tx.people.find(late)) is None
    assert await store.read(lambda tx: tx.people.find(revoked)) is None


async def test_of_those_who_follow_a_link_at_once_one_gets_in(store: Store) -> None:
    await add_ada(store)
    secret = new_secret("link")
    await store.write(lambda tx: tx.people.issue("link", operator_id="ada", lifetime=HOUR, secret=secret))

    followed = await asyncio.gather(*(store.write(lambda tx: tx.people.use_link(secret)) for _ in range(20)))

    assert sum(link is not None for link in followed) == 1


async def test_a_removed_operator_loses_every_way_in_and_may_come_back(store: Store) -> None:
    await add_ada(store)
    secret = new_secret("key")
    await store.write(lambda tx: tx.people.issue("key", operator_id="ada", secret=secret))

    assert await store.write(lambda tx: tx.people.remove_operator("ada"))
    assert await store.read(lambda tx: tx.people.find(secret)) is None
    assert await store.read(lambda tx: tx.people.operators()) == []
    assert not await store.read(lambda tx: tx.people.anyone())
    assert not await store.write(lambda tx: tx.people.remove_operator("ada"))

    assert await add_ada(store)
    assert await store.read(lambda tx: tx.people.find(secret)) is None


async def test_what_ran_out_long_ago_is_forgotten_and_keys_are_not(store: Store) -> None:
    async def issue(tx: Transaction) -> int:
        for kind, lifetime in (("cookie", OVER), ("session", HOUR), ("key", OVER)):
            await tx.people.issue(kind, lifetime=lifetime, secret=new_secret(kind))  # type: ignore[arg-type]  # a loop
        return await tx.people.forget_old(older_than=timedelta())

    assert await store.write(issue) == 1
    assert len(await store.read(lambda tx: tx.people.keys())) == 1
