"""Answers to one question, as the ask-a-human tool returns them to the model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, JsonValue

from handraise.agents.ask_human.form import filled_in, is_filled_in
from handraise.core.errors import InvalidDecision
from handraise.core.requests import Option
from handraise.dialects.human_request import EXPIRED

ANSWER_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {
                "status": {"enum": ["answered", "timeout"]},
                "response": {},
                "selected_option": {"type": "string"},
                "error": {"type": "string"},
            },
        },
    ]
}


def read_answer(
    answer: Any, /, *, options: list[Option], form: type[BaseModel] | None, timeout_error: str
) -> dict[str, JsonValue]:
    """Read a person's answer, or the clock's, into the tool's result. A ValueError says what to send instead."""
    if not isinstance(answer, dict):
        answer = {"response": answer} if form is None else {"status": "answered", "response": answer}
    if answer.get("status") == "timeout" and not (form is not None and is_filled_in(form, answer)):
        # The clock's own sentence is the same for every agent; this tool's says what to tell the customer.
        error = answer.get("error")
        return {"status": "timeout", "error": timeout_error if error in (None, "", EXPIRED) else str(error)}
    response, selected = answer.get("response"), answer.get("selected_option")
    if form is not None:
        return {"status": "answered", "response": filled_in(form, answer)}
    labels = {option.id: option.label for option in options}
    if selected is None and isinstance(response, str) and response.strip() in labels:
        selected = response.strip()
    if selected is not None and (not isinstance(selected, str) or selected not in labels):
        raise InvalidDecision(
            f"The question offers no option {selected!r}.",
            fix=f"Choose one of: {', '.join(labels)}." if labels else "Answer in text instead.",
        )
    if selected is not None and (response is None or response in ("", selected)):
        response = labels[selected]
    if response is None or (isinstance(response, str) and not response.strip()):
        raise InvalidDecision("The answer is empty.", fix="Send a `response`, or the id of an offered option.")
    answered: dict[str, JsonValue] = {"status": "answered", "response": response}
    return answered if selected is None else {**answered, "selected_option": selected}
