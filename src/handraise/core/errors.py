"""Every error Handraise raises on purpose.

HandraiseError
├── InvalidInput                 a value that can never work (also a ValueError)
│   ├── NotCanonical             a value that has no canonical JSON
│   ├── InvalidDecision          an answer that does not fit its request
│   │   └── DecisionNotAllowed   an answer of a kind that this request does not offer
│   └── Unspeakable              a decision that a dialect has no word for
├── NotFound                     no such session, request, run, agent
├── Conflict                     right once, too late now
│   ├── AlreadySettled           somebody, or the clock, was first
│   ├── AlreadyAnswered          another operator has answered this ticket
│   ├── ClaimedByAnother         another operator holds the claim
│   ├── AlreadyKnown             the knowledge base has an entry for the same question
│   ├── IllegalMove              the state table has no such move
│   └── LeaseLost                this process no longer owns the run
├── NotSignedIn                  no credentials, or none that are valid
├── NotPermitted                 valid credentials that do not allow this
├── TooManyRequests              a limit on how often, or how many at once
├── QuotaExceeded                an agent that asked people more than it may
├── NotRunAgain                  a call that failed before, or that a person left alone
├── Misconfigured                a setting, path or environment to mend
└── Unavailable                  something we depend on does not answer

An error says what happened, with the value in question, and what to do next. Its `code` never changes;
its wording may.
"""

from __future__ import annotations

from typing import ClassVar, Self


class HandraiseError(Exception):
    """The root of the tree. `what` happened and the `fix` are kept apart, so that a page can show both."""

    code: ClassVar[str] = "handraise_error"

    def __init__(self, what: str, /, *, fix: str = "", details: dict[str, object] | None = None) -> None:
        super().__init__(f"{what} {fix}" if fix else what)
        self.what = what
        self.fix = fix
        self.details = details or {}


class InvalidInput(HandraiseError, ValueError):
    code = "invalid_input"


class NotCanonical(InvalidInput):
    code = "not_canonical"


class InvalidDecision(InvalidInput):
    code = "invalid_decision"


class DecisionNotAllowed(InvalidDecision):
    code = "decision_not_allowed"


class Unspeakable(InvalidInput):
    """A decision that a dialect has no word for. It is never approximated."""

    code = "unspeakable"

    def __init__(self, *, dialect: str, word: str) -> None:
        super().__init__(
            f"The dialect {dialect!r} has no word for {word!r}.",
            fix="Choose one of the decisions that the request offers.",
            details={"dialect": dialect, "word": word},
        )
        self.dialect = dialect
        self.word = word


class NotFound(HandraiseError):
    code = "not_found"

    def __init__(self, kind: str, id: str, /) -> None:
        super().__init__(
            f"There is no {kind} {id!r}.",
            fix="Check the id; it may belong to another database or have been deleted.",
            details={"kind": kind, "id": id},
        )


class Conflict(HandraiseError):
    code = "conflict"


class AlreadySettled(Conflict):
    """A request gets exactly one decision; this error names who made it."""

    code = "already_settled"

    def __init__(self, *, request_id: str, status: str, by: str | None, at: str | None) -> None:
        who = f" by {by}" if by else ""
        when = f" at {at}" if at else ""
        super().__init__(
            f"Request {request_id} is already {status}{who}{when}.",
            fix="Nothing was changed; reload the request to see what was decided.",
            details={"request_id": request_id, "status": status, "by": by, "at": at},
        )


class AlreadyAnswered(Conflict):
    code = "already_answered"


class ClaimedByAnother(Conflict):
    code = "claimed_by_another"

    def __init__(self, *, request_id: str, by: str, until: str) -> None:
        super().__init__(
            f"Request {request_id} is claimed by {by} until {until}.",
            fix="Wait until the claim ends, or ask them to release it.",
            details={"request_id": request_id, "by": by, "until": until},
        )


class AlreadyKnown(Conflict):
    """The same question is answered by an entry that this error names; a second one would compete with it."""

    code = "already_known"

    def __init__(self, *, question: str, entry_id: str, known: str) -> None:
        super().__init__(
            f"Entry {entry_id} already answers {question!r}: it asks {known!r}.",
            fix="Nothing was saved; edit that entry, merge into it, or say that both are wanted (`even_if_similar`).",
            details={"entry_id": entry_id, "question": known},
        )


class IllegalMove(Conflict):
    code = "illegal_move"


class LeaseLost(Conflict):
    code = "lease_lost"

    @classmethod
    def of(cls, run_id: str, epoch: int) -> Self:
        return cls(
            f"Run {run_id} is no longer this process's (it held epoch {epoch}).",
            fix="Nothing was changed; the process that owns it now goes on.",
        )


class NotSignedIn(HandraiseError):
    code = "not_signed_in"


class NotPermitted(HandraiseError):
    code = "not_permitted"


class TooManyRequests(HandraiseError):
    """A limit was reached; `retry_after` says in how many seconds it is worth trying again."""

    code = "too_many_requests"

    def __init__(self, what: str, /, *, fix: str, retry_after: int) -> None:
        super().__init__(what, fix=fix, details={"retry_after": retry_after})
        self.retry_after = retry_after


class QuotaExceeded(HandraiseError):
    """An agent asked people more than it may; its run ends."""

    code = "quota_exceeded"


class NotRunAgain(HandraiseError):
    """A call that failed before, or that a person left alone. The agent is told, and the tool does not run."""

    code = "not_run_again"


class Misconfigured(HandraiseError):
    code = "misconfigured"


class Unavailable(HandraiseError):
    code = "unavailable"
