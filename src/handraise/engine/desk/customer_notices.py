"""Telling the customer what the agent cannot: that somebody checks, that nobody answered in time.

These messages are stored events, sent by the service. They never enter the agent's history, because only what a run
delivers does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from langchain_core.messages import AIMessage, BaseMessage

from handraise.core.actors import CLOCK, SERVICE
from handraise.core.languages import Language
from handraise.core.log.facts import MessageSent, TicketOpened
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.engine.desk.customer_texts import customer_text, language_of
from handraise.store.store import Transaction


async def tell_waiting(
    tx: Transaction, session: Session, opened: Sequence[Request], messages: Sequence[BaseMessage]
) -> None:
    """Say that somebody checks, unless the agent said something itself when it asked."""
    asked = next((request for request in opened if request.audience == "operator"), None)
    if asked is None or _said_something(messages):
        return
    language = language_of(session, await tx.events.last_received(session.id))
    message = MessageSent(message_id=f"waiting_{asked.id}", text=customer_text("waiting", language), purpose="waiting")
    await tx.events.append_once(session.id, message, by=SERVICE, key=message.message_id)


async def fall_back(tx: Transaction, session: Session, expired: Request, help: Mapping[Language, str]) -> None:
    """Do what a question's author chose for the case that nobody answers. The session must be locked.

    A call that nobody reviewed needs none of this: it is not executed, and the agent is told and says so.
    """
    match expired.kind:
        case "approval" | "settlement":
            return
        case "question":
            if expired.audience != "operator":
                return
        case _ as never:
            assert_never(never)
    language = language_of(session, await tx.events.last_received(session.id))
    number = 0
    if expired.on_timeout == "ticket":
        ticket = await tx.tickets.open(expired)
        tx.events.append(session.id, TicketOpened(ticket=ticket), by=CLOCK)
        number = ticket.number
    text = customer_text(expired.on_timeout, language, number=number, help=help.get(language, ""))
    message = MessageSent(message_id=f"fallback_{expired.id}", text=text, purpose="fallback")
    tx.events.append(session.id, message, by=SERVICE)


def _said_something(messages: Sequence[BaseMessage]) -> bool:
    last = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
    return last is not None and bool(last.tool_calls) and bool(last.text.strip())
