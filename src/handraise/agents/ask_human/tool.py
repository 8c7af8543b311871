"""Asking a person: a tool by which an agent pauses for help backstage, and goes on with the answer."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from langchain_core.tools import BaseTool
from pydantic import BaseModel, JsonValue, PositiveFloat, model_validator

from handraise.agents.ask_human.answers import ANSWER_SCHEMA, read_answer
from handraise.agents.ask_human.texts import DESCRIPTION, TIMEOUT_ERRORS, parameters
from handraise.agents.pausing import pause
from handraise.agents.upstream.tools import Arguments, ReadsItsCall
from handraise.core.languages import Language
from handraise.core.requests import Fallback
from handraise.dialects.human_request import WireQuestion

FIVE_MINUTES = 300.0


class AskHumanAgentTool(ReadsItsCall, BaseTool):
    """`ask_human_agent` to your measure. It waits in the checkpoint, not in memory: a pause may outlive the process.

    `timeout_seconds` and `fallback` travel with the question: whoever keeps the deadline (the service, or you) answers
    `{"status": "timeout"}` when it has passed. None waits forever.
    """

    asks_an_operator: ClassVar[bool] = True
    """By this mark the engine knows such a tool, whatever it is called: what it asks stays backstage."""

    name: str = "ask_human_agent"
    description: str = DESCRIPTION["en"]
    language: Language = "en"
    timeout_seconds: PositiveFloat | None = FIVE_MINUTES
    fallback: Fallback = "inform"
    form: type[BaseModel] | None = None

    @model_validator(mode="before")
    @classmethod
    def _speak_the_language(cls, given: Any) -> Any:
        language = given.get("language", "en")
        if language not in DESCRIPTION:
            # The field itself refuses it, with the languages there are.
            language = "en"
        return {"description": DESCRIPTION[language], "args_schema": parameters(language), **given}

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        named = {"question": given} if isinstance(given, str) else given
        asked = {name: named[name] for name in parameters(self.language)["properties"] if name in named}
        return (), {"request": WireQuestion(**asked, **self._terms(), tool_call_id=call_id)}

    def _terms(self) -> dict[str, Any]:
        form = self.form.model_json_schema() if self.form else None
        return {"timeout_seconds": self.timeout_seconds, "on_timeout": self.fallback, "response_schema": form}

    def _run(self, *, request: WireQuestion) -> dict[str, JsonValue]:
        read = partial(
            read_answer,
            options=request.options,
            form=self.form,
            timeout_error=TIMEOUT_ERRORS[self.language][self.fallback],
        )
        return pause(request.model_dump(mode="json", exclude_none=True), read=read, answer_schema=ANSWER_SCHEMA)

    async def _arun(self, *, request: WireQuestion) -> dict[str, JsonValue]:
        return self._run(request=request)


def ask_human(
    *,
    schema: type[BaseModel] | None = None,
    name: str = "ask_human",
    language: Language = "en",
    timeout_seconds: float | None = FIVE_MINUTES,
    fallback: Fallback = "inform",
) -> AskHumanAgentTool:
    """Return a tool that asks as `ask_human_agent` does, and whose answer fits `schema`.

    The person sees a form of the model's fields; an answer that does not fit is refused and can be given again.
    """
    return AskHumanAgentTool(
        name=name, language=language, timeout_seconds=timeout_seconds, fallback=fallback, form=schema
    )


ask_human_agent = AskHumanAgentTool()
"""The tool with its documented settings, in English: five minutes, then tell the customer."""
