"""`handraise operators` and `handraise keys`: who may sign in, and which programs may call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from handraise.commands.needs import need_server
from handraise.commands.record import current_user, record_fact
from handraise.core.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from handraise.core.people import Credential
    from handraise.service.settings.settings import Settings
    from handraise.store.store import Transaction

T = TypeVar("T")
operators = typer.Typer(help="The people who answer requests.", no_args_is_help=True)
keys = typer.Typer(help="API keys for programs.", no_args_is_help=True)

Database = Annotated[str | None, typer.Option(help="The database; the one of the settings unless set.")]
Config = Annotated[Path | None, typer.Option(help="The settings file; handraise.toml in this folder if it is there.")]


@operators.command("add")
def add_operator(
    id: Annotated[
        str, typer.Argument(help="A short name of small letters and digits, which decisions are signed with.")
    ],
    name: Annotated[str, typer.Option(help="The name to show; the id unless set.")] = "",
    role: Annotated[str, typer.Option(help="operator, lead or admin.")] = "operator",
    database: Database = None,
    config: Config = None,
) -> None:
    """Add an operator and print a one-time link to sign in."""
    settings = _settings(database, config)
    from datetime import UTC, datetime

    from pydantic import ValidationError

    from handraise.core.log.installation import OperatorAdded
    from handraise.core.people import Operator

    try:
        operator = Operator.model_validate(
            {"id": id, "name": name or id, "role": role, "created_at": datetime.now(UTC)}
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(f"{first['loc'][0]} is {first['input']!r}: {first['msg']}.", fix="Choose another.") from None

    async def work(tx: Transaction) -> None:
        if not await tx.people.add_operator(operator.id, name=operator.name, role=operator.role):
            raise Conflict(f"There is an operator {operator.id!r} already.", fix="Choose another id.")
        record_fact(tx, OperatorAdded(operator_id=operator.id, role=operator.role))

    _in_transaction(settings, work)
    typer.echo(f"Added {operator.role} {operator.id}.")
    _print_link(settings, operator.id)


@operators.command("list")
def list_operators(database: Database = None, config: Config = None) -> None:
    """List the operators."""
    for operator in _in_transaction(_settings(database, config), lambda tx: tx.people.operators()):
        typer.echo(f"{operator.id:<20} {operator.role:<9} {operator.name}")


@operators.command("link")
def link(
    id: Annotated[str, typer.Argument(help="Whose link; the only operator's if there is one.")] = "",
    database: Database = None,
    config: Config = None,
) -> None:
    """Print a new one-time link to sign in."""
    settings = _settings(database, config)
    known = _in_transaction(settings, lambda tx: tx.people.operators())
    if not id and len(known) != 1:
        names = ", ".join(operator.id for operator in known) or "none: add one with `handraise operators add`"
        raise InvalidInput("Whose link?", fix=f"The operators are {names}.")
    _print_link(settings, id or known[0].id)


@operators.command("remove")
def remove_operator(
    id: Annotated[str, typer.Argument(help="Who.")], database: Database = None, config: Config = None
) -> None:
    """Remove an operator: their keys, links and sign-ins end at once; what they decided stays recorded.

    The conversations that they had taken over go back to their agents.
    """
    settings = _settings(database, config)
    from handraise.core.log.installation import OperatorRemoved
    from handraise.engine.desk.conversations import hand_back_all

    async def work(tx: Transaction) -> int:
        if not await tx.people.remove_operator(id):
            raise NotFound("operator", id)
        record_fact(tx, OperatorRemoved(operator_id=id))
        return await hand_back_all(tx, id, by=current_user())

    returned = _in_transaction(settings, work)
    typer.echo(f"Removed {id}.{_returned(returned)}")


@keys.command("add")
def add_key(
    name: Annotated[str, typer.Argument(help="What the key is for.")],
    operator: Annotated[str | None, typer.Option(help="Act as this operator, with their role.")] = None,
    scope: Annotated[
        list[str] | None, typer.Option(help="What a program may do: chat, inbox, insights or people. Repeatable.")
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, help="How long it works; forever unless set.")] = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Make an API key and print it, once."""
    settings = _settings(database, config)
    from datetime import timedelta
    from typing import get_args

    from handraise.core.log.installation import KeyAdded
    from handraise.core.people import Scope
    from handraise.store.tables.people import new_secret

    wanted = tuple(one for one in get_args(Scope) if one in (scope or []))
    if unknown := set(scope or []) - set(wanted):
        raise InvalidInput(f"There is no scope {unknown.pop()!r}.", fix=f"Choose from {', '.join(get_args(Scope))}.")
    if bool(wanted) == bool(operator):
        raise InvalidInput("A key is for a program or for an operator.", fix="Give --scope, or --operator.")
    secret = new_secret("key")

    async def work(tx: Transaction) -> str:
        if operator:
            await tx.people.operator(operator)
        lifetime = None if days is None else timedelta(days=days)
        added = await tx.people.issue(
            "key", name=name, operator_id=operator, scopes=wanted, lifetime=lifetime, secret=secret
        )
        record_fact(tx, KeyAdded(key_id=added, title=name, operator_id=operator, scopes=wanted))
        return added

    key_id = _in_transaction(settings, work)
    typer.echo(f"Key {key_id}, shown only now:", err=True)
    typer.echo(secret)


@keys.command("list")
def list_keys(database: Database = None, config: Config = None) -> None:
    """List the keys, without their secrets."""
    for key in _in_transaction(_settings(database, config), lambda tx: tx.people.keys()):
        holder = f"operator {key.operator.id}" if key.operator else f"service {','.join(key.scopes)}"
        typer.echo(f"{key.id:<18} {_state(key):<18} {holder:<24} {key.name}")


@keys.command("revoke")
def revoke_key(
    id: Annotated[str, typer.Argument(help="The key's id, as `handraise keys list` shows it.")],
    database: Database = None,
    config: Config = None,
) -> None:
    """Revoke a key; it stops working at once. Conversations that it had taken over go back to their agents."""
    settings = _settings(database, config)
    from handraise.core.log.installation import KeyRevoked
    from handraise.engine.desk.conversations import hand_back_all

    async def work(tx: Transaction) -> int:
        if id not in {key.id for key in await tx.people.keys()} or not await tx.people.end(id):
            raise NotFound("key", id)
        record_fact(tx, KeyRevoked(key_id=id))
        return await hand_back_all(tx, id, by=current_user())

    returned = _in_transaction(settings, work)
    typer.echo(f"Revoked {id}.{_returned(returned)}")


def _settings(database: str | None, config: Path | None) -> Settings:
    need_server()
    from handraise.service.settings.sources import read_settings

    return read_settings(flags={"database": database}, file=config)


def _in_transaction(settings: Settings, work: Callable[[Transaction], Awaitable[T]]) -> T:
    import asyncio

    from handraise.store.opening import open_store

    async def once() -> T:
        async with open_store(settings.database) as store:
            return await store.write(work)

    return asyncio.run(once())


def _print_link(settings: Settings, operator_id: str) -> None:
    from datetime import timedelta

    from handraise.core.log.installation import LinkIssued
    from handraise.store.tables.people import new_secret

    secret = new_secret("link")
    lifetime = timedelta(minutes=settings.link_minutes)

    async def work(tx: Transaction) -> None:
        await tx.people.operator(operator_id)
        await tx.people.issue("link", operator_id=operator_id, lifetime=lifetime, secret=secret)
        record_fact(tx, LinkIssued(operator_id=operator_id))

    _in_transaction(settings, work)
    address = settings.public_url or f"http://{settings.host}:{settings.port}"
    typer.echo(f"Open this once, within {settings.link_minutes} min:", err=True)
    typer.echo(f"{address}/sign-in/{secret}")


def _returned(sessions: int) -> str:
    return f" Back with their agents: {sessions} conversation{'' if sessions == 1 else 's'}." if sessions else ""


def _state(key: Credential) -> str:
    from datetime import UTC, datetime

    if key.ended_at:
        return f"revoked {key.ended_at:%Y-%m-%d}"
    if key.expires_at:
        return f"{'ended' if key.expires_at < datetime.now(UTC) else 'until'} {key.expires_at:%Y-%m-%d}"
    return "works"
