"""A PostgreSQL database as a first start leaves it, for each test anew: migrated once, and then only emptied.

To migrate takes a hundred milliseconds, and a copy of a whole database no less; to empty one takes ten. Whatever else
a test may have left is looked for: tables of its own go, and where ours have another shape all is made anew. Tests of
migrations, and of what comes before them, have a database with nothing in it instead (`empty_postgres_url`).
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.postgres import PostgresServer

LEAVE_ALONE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
NOTHING = ("DROP SCHEMA IF EXISTS pristine CASCADE", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")

# Written where nothing of ours looks. A table that is emptied by TRUNCATE gives back what a test with many rows took;
# on small ones it takes ten times as long as DELETE.
REMEMBER = (
    "CREATE SCHEMA pristine",
    """CREATE FUNCTION pristine.shape() RETURNS text LANGUAGE sql AS $$
        SELECT md5(string_agg(concat_ws(' ', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull, a.xmin), ','
                              ORDER BY c.relname, a.attnum))
            || md5((SELECT string_agg(concat_ws(' ', conname, contype, xmin), ',' ORDER BY conname, conrelid)
                    FROM pg_constraint WHERE connamespace = 'public'::regnamespace))
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace
    $$""",
    """CREATE TABLE pristine.tables AS
        SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'""",
    """DO $$ DECLARE name text; filled boolean; BEGIN
        FOR name IN SELECT t.name FROM pristine.tables t LOOP
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM public.%I)', name) INTO filled;
            IF filled THEN EXECUTE format('CREATE TABLE pristine.%I AS TABLE public.%I', 'in ' || name, name); END IF;
        END LOOP;
    END $$""",
    "CREATE TABLE pristine.known AS SELECT pristine.shape() AS shape",
    """CREATE FUNCTION pristine.restore() RETURNS boolean LANGUAGE plpgsql AS $$ DECLARE name text; BEGIN
        FOR name IN SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                AND NOT EXISTS (SELECT 1 FROM pristine.tables t WHERE t.name = c.relname) LOOP
            EXECUTE format('DROP TABLE IF EXISTS public.%I CASCADE', name);
        END LOOP;
        IF pristine.shape() IS DISTINCT FROM (SELECT shape FROM pristine.known) THEN RETURN false; END IF;
        SET LOCAL session_replication_role = replica;  -- rows go in any order, whatever they refer to
        FOR name IN SELECT t.name FROM pristine.tables t LOOP
            IF pg_relation_size(format('public.%I', name)::regclass) > 262144 THEN
                EXECUTE format('TRUNCATE public.%I CASCADE', name);
            ELSE
                EXECUTE format('DELETE FROM public.%I', name);
            END IF;
        END LOOP;
        -- Afterwards, since a TRUNCATE reaches other tables.
        FOR name IN SELECT substr(relname, 4) FROM pg_class
                WHERE relnamespace = 'pristine'::regnamespace AND relname LIKE 'in %' LOOP
            EXECUTE format('INSERT INTO public.%I OVERRIDING SYSTEM VALUE TABLE pristine.%I', name, 'in ' || name);
        END LOOP;
        PERFORM setval(c.oid, 1, false) FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'S';
        RETURN true;
    END $$""",
)


def make_pristine(server: PostgresServer, database: str) -> None:
    """Bring a database back to where a first start leaves it, in the cheapest way that there is."""
    import psycopg

    with psycopg.connect(server.url(database), autocommit=True) as connection:
        connection.execute(LEAVE_ALONE.encode())
        [is_known] = connection.execute(b"SELECT to_regproc('pristine.restore') IS NOT NULL").fetchone() or (False,)
        if is_known and connection.execute(b"SELECT pristine.restore()").fetchone() == (True,):
            return
        for statement in NOTHING:
            connection.execute(statement.encode())
        # Another thread, since a test may have an event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _first_start(server.url(database))).result()
        for statement in REMEMBER:
            connection.execute(statement.encode())


async def _first_start(url: str) -> None:
    from handraise.store.opening import open_store

    async with open_store(url):
        pass


def make_empty(server: PostgresServer, database: str) -> None:
    """Leave nothing in a database."""
    # Emptied rather than created anew, which takes five times as long.
    server.execute(LEAVE_ALONE, *NOTHING, database=database)
