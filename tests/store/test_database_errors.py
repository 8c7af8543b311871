"""A database that cannot be used is reported in one sentence, without a traceback or a password."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from handraise.core.errors import HandraiseError, Misconfigured, Unavailable
from handraise.store.opening import open_store
from handraise.store.store import Transaction
from tests.postgres import GUARDED_ROLE, PostgresServer
from tests.store.samples import a_session

PASSWORD = "se%40cret"


async def opening(url: str) -> HandraiseError:
    """Return the error of opening `url`, after checking that it is fit to be shown."""
    with pytest.raises(HandraiseError) as raised:
        async with open_store(url):
            pass
    error = raised.value
    assert "\n" not in str(error)
    assert "Traceback" not in str(error)
    assert "cret" not in str(error)
    assert error.what.endswith(".")
    assert error.fix
    assert error.__cause__ is None
    return error


@contextmanager
def somebody_without_rights() -> Iterator[None]:
    """Act as a user who owns nothing: file modes do not hold root back."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.real
async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, " * 1000)
    error = await opening(str(path))
    assert isinstance(error, Misconfigured)
    assert error.what == f"The database file {path} cannot be used: file is not a database."
    assert path.read_text().startswith("Dear diary")


async def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "db"
    path.write_bytes(b"")
    path.chmod(0)
    with somebody_without_rights():
        error = await opening(str(path))
    assert error.what.startswith(f"The database file {path} cannot be used: ")


@pytest.mark.real
async def test_a_folder(tmp_path: Path) -> None:
    error = await opening(f"sqlite:///{tmp_path}")
    assert error.what == f"The database file {tmp_path} cannot be used: unable to open database file."


async def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    error = await opening(str(tmp_path / "file" / "db"))
    assert "cannot be used" in error.what


@pytest.mark.real
async def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "new" / "folder" / "db")):
        pass
    assert (tmp_path / "new" / "folder" / "db").is_file()


@pytest.mark.parametrize("url", ["mysql://root:secret@host/db", "sqlite://file.db", "https://example.org"])
async def test_a_database_we_do_not_speak(url: str) -> None:
    error = await opening(url)
    assert isinstance(error, Misconfigured)
    assert "is not supported" in error.what


@pytest.mark.parametrize("url", ["", ":memory:", "sqlite:///", "sqlite:///:memory:"])
async def test_a_database_without_a_file(url: str) -> None:
    error = await opening(url)
    assert isinstance(error, Misconfigured)
    assert "names no file" in error.what


@pytest.mark.real
async def test_a_file_that_breaks_while_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "db"
    async with open_store(str(path)):
        pass
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100))
    error = await opening(str(path))
    assert isinstance(error, Misconfigured)
    assert "malformed" in error.what


async def test_a_mistake_in_a_statement_is_no_fault_of_the_database(database_url: str) -> None:
    async with open_store(database_url) as store:
        for act in (store.read, store.write):
            with pytest.raises(Exception, match="no_such_table") as raised:
                await act(lambda tx: tx.connection.all("SELECT * FROM no_such_table"))
            assert not isinstance(raised.value, HandraiseError)


async def test_a_server_that_does_not_run() -> None:
    with socket.socket() as taken:  # bound but not listening: connections are refused, and nobody else takes it
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = await opening(f"postgresql://ann:{PASSWORD}@127.0.0.1:{port}/db")
    assert isinstance(error, Unavailable)
    assert error.what.startswith(f"PostgreSQL at postgresql://127.0.0.1:{port}/db is not available: ")
    assert "refused" in error.what


async def test_a_host_that_does_not_exist() -> None:
    error = await opening(f"postgresql://ann:{PASSWORD}@no-such-host.invalid/db")
    assert isinstance(error, Unavailable)
    assert "no-such-host.invalid" in error.what


async def test_a_wrong_password(postgres_server: PostgresServer) -> None:
    error = await opening(f"postgresql://{GUARDED_ROLE}:{PASSWORD}@/postgres?host={postgres_server.data}")
    assert isinstance(error, Unavailable)
    assert error.what.endswith(f': password authentication failed for user "{GUARDED_ROLE}".')


async def test_a_database_that_is_missing(postgres_server: PostgresServer) -> None:
    error = await opening(postgres_server.url("no_such_database"))
    assert isinstance(error, Unavailable)
    assert 'database "no_such_database" does not exist' in error.what


async def test_a_user_who_may_not_create_tables(postgres_server: PostgresServer) -> None:
    error = await opening(f"postgresql://{GUARDED_ROLE}:correct@/postgres?host={postgres_server.data}")
    assert isinstance(error, Misconfigured)
    assert "permission denied" in error.what


@pytest.mark.parametrize("url", ["postgresql://ann:se%%cret@host/db", "postgresql://ann:se@cret@host/db"])
async def test_a_url_that_cannot_be_read(url: str) -> None:
    assert isinstance(await opening(url), Misconfigured)


async def test_a_store_that_was_never_opened(database_url: str) -> None:
    store = open_store(database_url)
    with pytest.raises(Unavailable, match=r"is closed\. Open the store first, or again\."):
        await store.write(lambda tx: tx.sessions.add(a_session()))
    with pytest.raises(Unavailable, match="is closed"):
        await store.read(lambda tx: tx.sessions.get("s1"))


async def test_a_server_that_drops_every_connection_is_used_again(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    async with open_store(postgres_url) as store:
        await store.write(lambda tx: tx.sessions.add(a_session("before")))
        postgres_server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'handraise'"
        )
        await store.write(lambda tx: tx.sessions.add(a_session("after")))
        assert (await store.read(lambda tx: tx.sessions.get("after"))).id == "after"


async def test_a_connection_that_breaks_inside_a_transaction(postgres_url: str) -> None:
    async def break_off(tx: Transaction) -> None:
        await tx.sessions.add(a_session("lost"))
        await tx.connection.one("SELECT pg_terminate_backend(pg_backend_pid())")

    async with open_store(postgres_url) as store:
        with pytest.raises(Unavailable, match="is not available: "):
            await store.write(break_off)
        with pytest.raises(HandraiseError, match="no session 'lost'"):
            await store.read(lambda tx: tx.sessions.get("lost"))
