"""The first run: somebody must be able to sign in before anybody was set up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from handraise.core.actors import SERVICE
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.installation import KeyAdded, LinkIssued, OperatorAdded
from handraise.core.people import OperatorRole
from handraise.service.settings.settings import Settings
from handraise.store.store import Store, Transaction
from handraise.store.tables.people import new_secret

DEMO_OPERATORS: tuple[tuple[str, str, OperatorRole], ...] = (("ada", "Ada", "lead"), ("lin", "林", "operator"))
FORGET = timedelta(days=30)
FIRST = "first run"


@dataclass(frozen=True, kw_only=True)
class Welcome:
    """What to print for whoever started the service; both secrets are shown once and kept nowhere."""

    operator_id: str
    link: str | None = None
    key: str | None = None


async def welcome(store: Store, settings: Settings, *, demo: bool) -> Welcome | None:
    """Set up the first operator unless there is one, with a way in. The demo gets a fresh link at every start."""
    link, key = new_secret("link"), new_secret("key")
    lifetime = timedelta(minutes=settings.link_minutes)

    async def set_up(tx: Transaction) -> Welcome | None:
        await tx.people.forget_old(older_than=FORGET)
        if demo:
            added = [await tx.people.add_operator(who, name=name, role=role) for who, name, role in DEMO_OPERATORS]
            operator_id, first = DEMO_OPERATORS[0][0], added[0]
        elif settings.oidc.issuer or await tx.people.anyone():
            return None
        else:
            operator_id = "admin"
            # Of several processes that start at once, only one adds it.
            first = await tx.people.add_operator(operator_id, name="Admin", role="admin")
        if first:
            key_id = await tx.people.issue("key", name=FIRST, operator_id=operator_id, secret=key)
            role: OperatorRole = "lead" if demo else "admin"
            tx.events.append(INSTALLATION, OperatorAdded(operator_id=operator_id, role=role), by=SERVICE)
            tx.events.append(INSTALLATION, KeyAdded(key_id=key_id, title=FIRST, operator_id=operator_id), by=SERVICE)
        if demo or first:
            await tx.people.issue("link", operator_id=operator_id, lifetime=lifetime, secret=link)
            tx.events.append(INSTALLATION, LinkIssued(operator_id=operator_id), by=SERVICE)
        return Welcome(operator_id=operator_id, link=link if demo or first else None, key=key if first else None)

    return await store.write(set_up)
