"""Requests: one thing an agent waits on a person for, and every rule about answering it."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any, Literal, Self, assert_never, get_args

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from handraise.core.actors import CLOCK, Actor
from handraise.core.decisions import AnyDecision, Approve, Decision, DecisionKind, Edit, Reject, Respond
from handraise.core.digests import canonical, digest, is_same
from handraise.core.errors import AlreadySettled, ClaimedByAnother, DecisionNotAllowed, InvalidDecision
from handraise.core.masking import mask, values_at, without
from handraise.core.policy import Ruling
from handraise.core.states import RequestStatus, next_request_status

RequestKind = Literal["approval", "question", "settlement"]
"""A tool call to review; something only a person can answer; whether a call ran before a fault hid its outcome."""

REQUEST_KINDS: tuple[RequestKind, ...] = get_args(RequestKind)
Audience = Literal["customer", "operator"]
QuestionType = Literal["information_query", "decision_required", "risk_confirmation", "knowledge_gap"]
Urgency = Literal["low", "medium", "high"]
Fallback = Literal["inform", "ticket", "self_service"]


class Option(BaseModel):
    """One answer that a question offers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    label: str
    description: str = ""


def request_id(*, session_id: str, interrupt_id: str, position: int) -> str:
    """Derive a request's id from where it was asked, so that opening it twice is opening it once."""
    seed = canonical([session_id, interrupt_id, position])
    return f"req_{hashlib.sha256(seed).hexdigest()[:24]}"


def default_question_type(kind: RequestKind) -> QuestionType:
    """Return what a request asks for when it does not say."""
    match kind:
        case "approval" | "settlement":
            return "risk_confirmation"
        case "question":
            return "information_query"
        case _ as never:
            assert_never(never)


class Request(BaseModel):
    """One thing to decide, of one of three kinds. Frozen: each move returns the request as it is after it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    session_id: str
    run_id: str
    kind: RequestKind
    audience: Audience = "operator"
    dialect: str
    interrupt_id: str
    position: int = 0

    tool: str = ""
    tool_call_id: str = ""
    args: dict[str, JsonValue] = {}
    args_schema: dict[str, JsonValue] | None = None
    sensitive: tuple[str, ...] = ()
    """Where in the arguments values are that people see masked, as `/card/number`."""
    digest: str = ""
    description: str = ""
    allowed: tuple[DecisionKind, ...]
    ruling: Ruling | None = None
    agent: str = ""
    customer: str = ""
    """Who the agent talks to, as the session says, so that a list of requests needs no list of sessions."""

    question: str = ""
    question_type: QuestionType | None = None
    options: tuple[Option, ...] = ()
    context: dict[str, JsonValue] = {}
    urgency: Urgency = "medium"

    status: RequestStatus = "open"
    version: int = 1
    created_at: datetime
    deadline: datetime | None = None
    on_timeout: Fallback = "inform"
    claimed_by: str | None = None
    claim_until: datetime | None = None
    decided_by: Actor | None = None
    decided_at: datetime | None = None
    decision: Decision | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_written_before_settlements_had_a_kind(cls, values: Any) -> Any:
        """Read what older versions stored as a question: the chain covers their events, so they stay as they are."""
        if isinstance(values, dict) and values.get("dialect") == "settlement" and values.get("kind") == "question":
            return {**values, "kind": "settlement"}
        return values

    @property
    def is_review(self) -> bool:
        """Whether this is a tool call to review: only then is there a ruling, and a customer who may confirm."""
        match self.kind:
            case "approval":
                return True
            case "question" | "settlement":
                return False
            case _ as never:
                assert_never(never)

    @property
    def asks_for(self) -> QuestionType:
        """What is asked for, said or by default."""
        return self.question_type or default_question_type(self.kind)

    def decide(self, decision: AnyDecision, *, by: Actor, at: datetime) -> Self:
        """Return the request with its decision, or refuse. Every rule about answering lives here."""
        self._must_be_open()
        self._must_not_be_claimed_by_another(by, at)
        if decision.type not in self.allowed:
            raise DecisionNotAllowed(
                f"Request {self.id} does not take {decision.type!r}.",
                fix=f"Answer with one of: {', '.join(self.allowed)}.",
                details={"allowed": list(self.allowed)},
            )
        self._must_fit(decision)
        return self._moved(
            status=next_request_status(self.status, "decide"),
            decision=decision,
            decided_by=by,
            decided_at=at,
            claimed_by=None,
            claim_until=None,
        )

    def expire(self, *, at: datetime) -> Self:
        """Return the request as the clock closes it: one more contender, with no more rights than a person."""
        self._must_be_open()
        return self._moved(
            status=next_request_status(self.status, "expire"),
            decided_by=CLOCK,
            decided_at=at,
            claimed_by=None,
            claim_until=None,
        )

    def withdraw(self, *, by: Actor, at: datetime) -> Self:
        """Return the request as closed because its run no longer waits for it."""
        self._must_be_open()
        return self._moved(
            status=next_request_status(self.status, "withdraw"),
            decided_by=by,
            decided_at=at,
            claimed_by=None,
            claim_until=None,
        )

    def doubt(self) -> Self:
        """Return the request as it is once a crash has hidden whether its approved effect ran."""
        return self._moved(status=next_request_status(self.status, "doubt"))

    def settle(self) -> Self:
        """Return the request as it is once a person has said whether its effect ran."""
        return self._moved(status=next_request_status(self.status, "settle"))

    def claim(self, *, by: Actor, at: datetime, until: datetime) -> Self:
        """Return the request with an operator's claim; one's own claim can be renewed."""
        self._must_be_open()
        self._must_not_be_claimed_by_another(by, at)
        return self._moved(claimed_by=by.id, claim_until=until)

    def release(self, *, by: Actor, at: datetime) -> Self:
        """Return the request without its claim."""
        self._must_be_open()
        self._must_not_be_claimed_by_another(by, at)
        return self._moved(claimed_by=None, claim_until=None)

    @property
    def approved_digest(self) -> str | None:
        """The digest of what may run, or None when nothing may."""
        match self.decision:
            case Approve():
                return self.digest
            case Edit(args=args):
                return digest(self.tool, args)
            case Reject() | Respond() | None:
                return None
            case _ as never:
                assert_never(never)

    @property
    def edited_fields(self) -> tuple[str, ...]:
        """The names of the arguments that an edit changed, added or took away, each compared as the digest does."""
        if not isinstance(self.decision, Edit):
            return ()
        before, after = self.args, self.decision.args
        return tuple(
            name
            for name in sorted(before.keys() | after.keys())
            if name not in before or name not in after or not is_same(before[name], after[name])
        )

    @property
    def remind_at(self) -> datetime | None:
        """When to say again that this waits: after four fifths of its time."""
        return None if self.deadline is None else self.created_at + (self.deadline - self.created_at) * 0.8

    def masked(self) -> Self:
        """Return the request as people see it: without the sensitive values, also where a text repeats them."""
        if not self.sensitive:
            return self
        edited = self.decision.args if isinstance(self.decision, Edit) else {}
        values = values_at([self.args, edited], [f"/*{path}" for path in self.sensitive])
        context = json.loads(without(json.dumps(self.context, ensure_ascii=False), values))
        changes: dict[str, Any] = {
            "args": mask(self.args, self.sensitive),
            "description": without(self.description, values),
            "question": without(self.question, values),
            "context": context,
        }
        if isinstance(self.decision, Edit):
            changes["decision"] = Edit(args=mask(edited, self.sensitive))
        return self.model_copy(update=changes)

    def settled_error(self) -> AlreadySettled:
        """Return the error that tells a late contender who won."""
        return AlreadySettled(
            request_id=self.id,
            status=self.status,
            by=str(self.decided_by) if self.decided_by else None,
            at=self.decided_at.isoformat() if self.decided_at else None,
        )

    def _must_be_open(self) -> None:
        if self.status != "open":
            raise self.settled_error()

    def _must_not_be_claimed_by_another(self, by: Actor, at: datetime) -> None:
        claimed = self.claimed_by and self.claim_until and self.claim_until > at
        if claimed and by.kind == "operator" and by.id != self.claimed_by:
            raise ClaimedByAnother(
                request_id=self.id, by=str(self.claimed_by), until=f"{self.claim_until:%Y-%m-%d %H:%M:%S %Z}"
            )

    def _must_fit(self, decision: AnyDecision) -> None:
        match decision:
            case Approve():
                pass
            case Edit(args=args):
                canonical({"args": args})
            case Reject(reason=reason):
                canonical({"reason": reason})
            case Respond(text=text, selected_option=selected, data=data):
                canonical({"text": text, "data": data})
                offered = [option.id for option in self.options]
                if selected is not None and selected not in offered:
                    raise InvalidDecision(
                        f"Request {self.id} offers no option {selected!r}.",
                        fix=f"Choose one of: {', '.join(offered)}." if offered else "Answer in text instead.",
                        details={"options": offered},
                    )
                if not text.strip() and selected is None and data is None:
                    raise InvalidDecision("The answer is empty.", fix="Write a text or choose an option.")
            case _ as never:
                assert_never(never)

    def _moved(self, **changes: Any) -> Self:
        return self.model_copy(update={**changes, "version": self.version + 1})
