"""Each test has a PostgreSQL database as a first start leaves it, whatever the one before did to it."""

from __future__ import annotations

import psycopg
import pytest

from handraise.store.opening import open_store
from tests.postgres import PostgresServer
from tests.pristine import make_empty, make_pristine
from tests.store.samples import add_sessions

TABLES = "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1"
LEFT = {
    "rows, more than are worth deleting one by one": [
        "INSERT INTO counters SELECT 'left ' || i || repeat('x', 100), i FROM generate_series(1, 5000) AS i",
    ],
    "no row where there was one": ["DELETE FROM counters"],
    "another value": ["UPDATE counters SET value = 41"],
    "numbers that were given": ["SELECT setval(pg_get_serial_sequence('runs', 'seq'), 41)"],
    "a table of its own": ["CREATE TABLE checkpoints (id TEXT)"],
    "a column of its own": ["ALTER TABLE runs ADD COLUMN mood TEXT"],
    "a looser column": ["ALTER TABLE runs ALTER COLUMN session_id DROP NOT NULL"],
    "no table where there was one": ["DROP TABLE effects"],
    "no index where there was one": [
        """DO $$ BEGIN EXECUTE (
            SELECT format('DROP INDEX %I', indexname) FROM pg_indexes
            WHERE tablename = 'requests' AND indexdef LIKE 'CREATE INDEX%' LIMIT 1
        ); END $$"""
    ],
    "a newer schema": ["INSERT INTO handraise_migrations VALUES (999, 0)"],
}


def content(url: str) -> dict[str, list[str]]:
    with psycopg.connect(url) as connection:
        tables = [str(name) for [name] in connection.execute(TABLES.encode()).fetchall()]
        # When a migration was applied differs by nature.
        what = {"handraise_migrations": "number"}
        rows = {name: connection.execute(f"SELECT {what.get(name, '*')} FROM {name}".encode()) for name in tables}
        return {name: sorted(map(repr, found.fetchall())) for name, found in rows.items()}


def shape(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT table_name::text, column_name::text, is_nullable::text FROM information_schema.columns "
            "WHERE table_schema = 'public' UNION ALL SELECT tablename, indexname, '' FROM pg_indexes "
            "WHERE schemaname = 'public' ORDER BY 1, 2"
        ).fetchall()


async def next_number(url: str) -> int:
    """Return the number that the first run of a database gets."""
    async with open_store(url) as store:
        await add_sessions(store, "first")
    with psycopg.connect(url) as connection:
        [number] = connection.execute("SELECT nextval(pg_get_serial_sequence('runs', 'seq'))").fetchone() or (0,)
    return int(number)


@pytest.mark.parametrize("left", LEFT)
async def test_nothing_of_what_a_test_left_is_there_for_the_next(postgres_server: PostgresServer, left: str) -> None:
    url = postgres_server.url("test")
    make_pristine(postgres_server, "test")
    before = (content(url), shape(url))
    postgres_server.execute(*LEFT[left], database="test")
    changed = (content(url), shape(url), await next_number(url) if left == "numbers that were given" else 1)

    make_pristine(postgres_server, "test")

    assert changed != (*before, 1), "the control: what was left can be seen"
    assert (content(url), shape(url)) == before
    assert await next_number(url) == 1


async def test_it_is_what_a_first_start_leaves_in_an_empty_one(
    postgres_server: PostgresServer, empty_postgres_url: str, postgres_url: str
) -> None:
    assert shape(empty_postgres_url) == []
    async with open_store(empty_postgres_url):
        pass

    assert shape(empty_postgres_url) == shape(postgres_url)
    assert content(empty_postgres_url) == content(postgres_url)

    make_empty(postgres_server, "empty")
    assert shape(empty_postgres_url) == []
