"""Pauses: asking a person through LangGraph's `interrupt`, and taking the answer that belongs to the question."""

from __future__ import annotations

from typing import Any, cast

from langgraph.config import get_config
from langgraph.errors import _mark_invalid_resume
from langgraph.runtime import ExecutionInfo, get_runtime
from langgraph.types import interrupt
from pydantic import ValidationError

from handraise.agents.gate.answers import Answers
from handraise.agents.gate.marks import GateMark, marked
from handraise.agents.gate.memory import CHECKPOINTER, TaskMemory
from handraise.core.errors import InvalidDecision, Misconfigured

# LangGraph's own names: where a task's configuration holds its answers, and how a task saves them.
_SCRATCHPAD = "__pregel_scratchpad"
_SEND = "__pregel_send"
_RESUME = "__resume__"


def ask(value: Any, answers: Answers, memory: TaskMemory, *, shown: bool, ruling: GateMark | None = None) -> Any:
    """Show `value` and return the answer as it was read; pauses the run until there is one.

    `shown` says that this question is the last one that the task showed. An answer that waits although it was meant for
    another question is not taken, and neither are those after it. `ruling` is the mark under which the answer is saved.
    """
    waiting = get_config()["configurable"][_SCRATCHPAD]
    if not waiting.resume and waiting.get_null_resume(False) is None:
        # There is nothing to check, and the schema that clients see is the quickest for LangGraph to take.
        return interrupt(value, response_schema=answers.shape.published())
    index = waiting.interrupt_counter()
    if not memory.has_answer_at(index, ruling, shown=shown):
        del waiting.resume[index:]
        waiting.get_null_resume(True)
        _save(waiting.resume)
    answer = waiting.resume[index] if index < len(waiting.resume) else waiting.get_null_resume(True)
    if answer is None:
        return interrupt(value, response_schema=answers.shape.published())
    try:
        read = answers.check(answer)
    except (InvalidDecision, ValidationError) as error:
        # Tells LangGraph that the run failed for its answer, so that no error handler hands it to the model.
        _mark_invalid_resume(error)
        raise
    waiting.resume[index:] = [marked(answer, ruling), *waiting.resume[index + 1 :]]
    _save(waiting.resume[: index + 1])
    return read


def must_have_checkpointer(tool: str) -> None:
    """Refuse to pause where no pause can be resumed."""
    if get_config()["configurable"].get(CHECKPOINTER) is None:
        raise Misconfigured(
            f"A person has to review `{tool}`, but the agent has no checkpointer, so nobody could answer.",
            fix="Give create_agent a checkpointer: InMemorySaver() for a trial, SqliteSaver or PostgresSaver to keep.",
        )


def task_id() -> str:
    """Return the id of the task that runs now. It is the same each time the task resumes, and on no other branch."""
    return cast("ExecutionInfo", get_runtime().execution_info).task_id


def _save(answers: list[Any]) -> None:
    """Keep the answers so far with the next pause of this task, as LangGraph's `interrupt` does."""
    get_config()["configurable"][_SEND]([(_RESUME, [*answers])])
