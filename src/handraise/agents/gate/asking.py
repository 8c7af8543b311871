"""Pauses: asking a person through LangGraph's `interrupt`, and taking the answer that belongs to the question."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt
from pydantic import ValidationError

from handraise.agents.gate.answers import Answers
from handraise.agents.gate.marks import GateMark, marked
from handraise.agents.gate.memory import TaskMemory
from handraise.agents.upstream.tasks import Scratchpad, current_task, has_checkpointer, mark_as_refused
from handraise.core.errors import InvalidDecision, Misconfigured


def ask(value: Any, answers: Answers, memory: TaskMemory, *, shown: bool, ruling: GateMark | None = None) -> Any:
    """Show `value` and return the answer as it was read; pauses the run until there is one.

    `shown` says that this question is the last one that the task showed. An answer that waits although it was meant for
    another question is not taken, and neither are those after it. `ruling` is the mark under which the answer is saved.
    """
    waiting = Scratchpad()
    if waiting.is_empty():
        # There is nothing to check, and the schema that clients see is the quickest for LangGraph to take.
        return interrupt(value, response_schema=answers.shape.published())
    index = waiting.next_index()
    if not memory.has_answer_at(index, ruling, shown=shown):
        waiting.drop_from(index)
    answer = waiting.take(index)
    if answer is None:
        return interrupt(value, response_schema=answers.shape.published())
    try:
        read = answers.check(answer)
    except (InvalidDecision, ValidationError) as error:
        mark_as_refused(error)
        raise
    waiting.keep(index, marked(answer, ruling))
    return read


def must_have_checkpointer(tool: str) -> None:
    """Refuse to pause where no pause can be resumed."""
    if not has_checkpointer():
        raise Misconfigured(
            f"A person has to review `{tool}`, but the agent has no checkpointer, so nobody could answer.",
            fix="Give create_agent a checkpointer: InMemorySaver() for a trial, SqliteSaver or PostgresSaver to keep.",
        )


def task_id() -> str:
    """Return the id of the task that runs now. It is the same each time the task resumes, and on no other branch."""
    return current_task().task_id
