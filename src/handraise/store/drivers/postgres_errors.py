"""What PostgreSQL could not do, in our words: where, why, and what to do; never the password in its URL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import conninfo_to_dict

from handraise.core.errors import Conflict, HandraiseError, InvalidInput, LeaseLost, Misconfigured, Unavailable
from handraise.store.drivers.driver import wrote_in_a_read

LEASE_LOST = "RL001"
"""What our function `hold_run` raises, with the run and the epoch: of a class that the standard leaves to others."""

TRY_AGAIN = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
"""PostgreSQL gave one of several transactions up; it may be run again."""

_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.IdleInTransactionSessionTimeout)


@contextmanager
def in_our_words(where: str) -> Iterator[None]:
    """Let errors come out in our words; what asks for another try comes out as it is."""
    try:
        yield
    except TRY_AGAIN:
        raise
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise wrote_in_a_read() from error
    except _AWAY as error:
        raise unreachable(where, error) from error
    except psycopg.IntegrityError as error:
        raise Conflict(f"The database refused the change: {reason(error)}.", fix="Nothing was saved.") from error
    except (psycopg.DataError, UnicodeEncodeError) as error:
        raise InvalidInput(
            f"The database cannot keep a value: {reason(error)}.", fix="Nothing was saved; mend the value."
        ) from error
    except psycopg.DatabaseError as error:
        if error.sqlstate != LEASE_LOST:
            raise
        run_id, epoch = error.diag.message_primary or "", error.diag.message_detail or ""
        raise LeaseLost.of(run_id, int(epoch)) from None


def without_password(url: str) -> str:
    if url.split("?", maxsplit=1)[0].count("@") > 1:
        raise Misconfigured(
            "The PostgreSQL URL has more than one @, so its parts cannot be told apart.",
            fix="Write an @ inside a user name or password as %40.",
        )
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        # The parser's own words may quote the password.
        raise Misconfigured(
            "The PostgreSQL URL cannot be read.",
            fix="Write postgresql://user:password@host:5432/name, with special characters percent-encoded.",
        ) from None
    host, port, name = (str(parts.get(key) or "") for key in ("host", "port", "dbname"))
    return f"postgresql://{host or 'localhost'}{':' + port if port else ''}/{name}"


_PREAMBLE = re.compile(r"^connection failed: connection to server .* failed: (FATAL: +)?")
"""Where we tried to connect, which our own sentence says already."""


def reason(error: Exception) -> str:
    """Return the first line: the others are hints, and details that may quote what was stored."""
    first, *_ = str(error).strip().splitlines() or [type(error).__name__]
    return _PREAMBLE.sub("", first).strip().rstrip(".:")


def unreachable(where: str, error: Exception) -> HandraiseError:
    return Unavailable(
        f"PostgreSQL at {where} is not available: {reason(error)}.",
        fix="Check that it runs, and the address, user and password in the database URL.",
    )


def unusable(where: str, error: Exception) -> HandraiseError:
    return Misconfigured(
        f"The database {where} cannot be used: {reason(error)}.",
        fix="Check what its user may do there, or name another database.",
    )
