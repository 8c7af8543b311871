"""Human request: one question from `ask_human_agent`, with its context, options and urgency.

Its answer is what the tool returns: `{"status": "answered", ...}`, or `{"status": "timeout", "error": ...}` when the
question expired or was withdrawn. There is nothing to approve, edit or reject.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, ClassVar, assert_never

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, JsonValue

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.errors import Unspeakable
from handraise.core.requests import Fallback, Option, QuestionType, Request, Urgency, request_id
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.fields import OptionalObject, OptionalSeconds, OptionalText, fits

EXPIRED = "Nobody answered in time."
WITHDRAWN = "The question was withdrawn before anybody answered."


def _option(value: Any) -> Any:
    match value:
        case str():
            return {"id": value, "label": value}
        case dict():
            known = {key: text for key in Option.model_fields if (text := value.get(key)) is not None}
            names = {key: known.get(key) or known.get(other) for key, other in (("id", "label"), ("label", "id"))}
            return {**known, **names}
        case _:
            return value


def _distinct(options: list[Option]) -> list[Option]:
    ids = [option.id for option in options]
    if twice := sorted({each for each in ids if ids.count(each) > 1}):
        raise ValueError(f"The option ids {', '.join(twice)} are given more than once. Give every option its own id.")
    return options


def _or_empty(empty: type) -> BeforeValidator:
    return BeforeValidator(lambda value: empty() if value is None else value)


class WireQuestion(BaseModel):
    """A question on the wire. Models leave fields out, send null for them, or give options as bare text: all read."""

    question: Annotated[str, Field(min_length=1)]
    question_type: QuestionType
    context: Annotated[dict[str, JsonValue], _or_empty(dict)] = {}
    options: Annotated[
        list[Annotated[Option, BeforeValidator(_option)]], AfterValidator(_distinct), _or_empty(list)
    ] = []
    urgency: Annotated[Urgency, BeforeValidator(lambda value: value or "medium")] = "medium"

    tool_call_id: OptionalText = None
    agent: OptionalText = None
    timeout_seconds: OptionalSeconds = None
    on_timeout: Fallback = "inform"
    response_schema: OptionalObject = None


class HumanRequests:
    """`{"question", "question_type", ...}`, answered by `{"status", "response", "selected_option"?}`."""

    name: ClassVar[str] = "human_request"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset({"respond"})

    def understands(self, value: Any, /) -> bool:
        return fits(WireQuestion, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        asks = WireQuestion.model_validate(interrupt.value)
        return [
            Request(
                id=request_id(session_id=asked.session_id, interrupt_id=interrupt.id, position=0),
                session_id=asked.session_id,
                run_id=asked.run_id,
                kind="question",
                dialect=self.name,
                interrupt_id=interrupt.id,
                tool_call_id=asks.tool_call_id or "",
                # For a question this is the form of the answer, which comes back as `Respond.data`.
                args_schema=asks.response_schema,
                allowed=("respond",),
                agent=asks.agent or asked.agent,
                question=asks.question,
                question_type=asks.question_type,
                options=tuple(asks.options),
                context=asks.context,
                urgency=asks.urgency,
                deadline=asked.at + timedelta(seconds=asks.timeout_seconds) if asks.timeout_seconds else None,
                on_timeout=asks.on_timeout,
                created_at=asked.at,
            )
        ]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        (request,) = requests
        match request.decision:
            case Respond() as answer:
                return _answered(request, answer)
            case None:
                return {"status": "timeout", "error": EXPIRED if request.status == "expired" else WITHDRAWN}
            case Approve() | Edit() | Reject() as other:
                raise Unspeakable(dialect=self.name, word=other.type)
            case _ as never:
                assert_never(never)


def _answered(request: Request, answer: Respond) -> dict[str, JsonValue]:
    labels = {option.id: option.label for option in request.options}
    response = answer.text or labels.get(answer.selected_option or "", "")
    written: dict[str, JsonValue] = {
        "status": "answered",
        "response": response if answer.data is None else answer.data,
    }
    if answer.selected_option is not None:
        written["selected_option"] = answer.selected_option
    return written
