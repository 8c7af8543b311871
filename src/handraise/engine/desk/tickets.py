"""Tickets from the outside: an operator answers one later, and the customer reads the answer in the session."""

from __future__ import annotations

import uuid

from handraise.core.actors import Actor
from handraise.core.log.facts import MessageSent, TicketAnswered
from handraise.core.tickets import Ticket
from handraise.store.store import Store, Transaction


class TicketDesk:
    """What operators do to tickets."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def answer(self, number: int, text: str, *, by: Actor) -> Ticket:
        """Answer a ticket, once. The agent finds the answer in its history when the customer writes again."""
        message = MessageSent(message_id=str(uuid.uuid4()), text=text, purpose="ticket")

        async def work(tx: Transaction) -> Ticket:
            session = await tx.sessions.lock((await tx.tickets.get(number)).session_id)
            # Read again: only now does nobody else change it.
            answered = (await tx.tickets.get(number)).reply(text, by=by, at=await tx.now())
            await tx.tickets.answer(answered)
            said = {"role": "operator", "message_id": message.message_id, "text": text}
            await tx.sessions.keep_unheard(session.id, [*await tx.sessions.undelivered(session.id), said])
            tx.events.append(session.id, TicketAnswered(ticket=answered), by=by)
            await tx.events.append_once(session.id, message, by=by, key=f"sent:{message.message_id}")
            return answered

        return await self._store.write(work)
