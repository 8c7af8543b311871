"""Memory: what a task asked and was answered before it paused.

LangGraph runs a paused task again from its start, and forgets why it had asked. The checkpointer does not: it holds
the question that was shown, and the answers before it. Reading them back is how a gate keeps its ruling, asks each
predicate once and takes an answer only for a question that this very task has shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolCall
from langgraph.types import Interrupt

from handraise.agents.gate.marks import GateMark, mark_on, notes_on
from handraise.agents.upstream.tasks import LastPause, alast_pause, last_pause
from handraise.core.digests import digest


@dataclass(frozen=True, kw_only=True)
class TaskMemory:
    """The last question that this task asked, the answers that it had before, and the calls that its gates let pass."""

    asked: tuple[Interrupt[Any], ...] = ()
    answers: tuple[Any, ...] = ()
    passed: frozenset[GateMark] = frozenset()

    def ruled(self, ruling: GateMark, call: ToolCall) -> bool | None:
        """Return whether a gate asked about this call as it is now, let it pass, or (None) has not ruled yet."""
        if ruling in self.passed:
            return False
        if any(mark_on(answer) == ruling for answer in self.answers) or self.question_on(call) is not None:
            return True
        return None

    def question_on(self, call: ToolCall) -> Interrupt[Any] | None:
        """Return the question that showed exactly this call."""
        for question in self.asked:
            if any(_is_about(action, call) and _same(action, call) for action in _actions(question)):
                return question
        return None

    def turn(self, calls: Sequence[ToolCall]) -> tuple[Interrupt[Any], list[int]] | None:
        """Return the one question that showed some of `calls`, unchanged and in order, and which it showed."""
        for question in self.asked:
            shown: list[int] = []
            actions = _actions(question)
            for position, call in enumerate(calls):
                if len(shown) < len(actions) and _same(actions[len(shown)], call):
                    shown.append(position)
            if actions and len(shown) == len(actions):
                return question, shown
        return None

    def has_answer_at(self, index: int, ruling: GateMark | None, *, shown: bool) -> bool:
        """Return whether the answer at `index` is for the question that is asked there now.

        The one after those before belongs to the last question, which must have been this one (`shown`). Earlier ones
        have the mark of who took them; LangChain's gate, under which the task may have paused, leaves none.
        """
        if index >= len(self.answers):
            return shown and index == len(self.answers)
        return mark_on(self.answers[index]) in (None, ruling)


def recall() -> TaskMemory:
    """Read what this task asked before, from sync code. A first pass costs nothing."""
    return _remember(last_pause())


async def arecall() -> TaskMemory:
    """Read what this task asked before, from async code."""
    return _remember(await alast_pause())


def _remember(pause: LastPause | None) -> TaskMemory:
    if pause is None:
        return TaskMemory()
    notes = (note for question in pause.questions for note in notes_on(question))
    return TaskMemory(
        # A question of an agent inside the tool was saved here too.
        asked=tuple(question for question in pause.questions if question.id in pause.own_ids),
        answers=tuple(pause.answers),
        passed=frozenset(note for note in notes if note.task == pause.task_id),
    )


def _actions(question: Interrupt[Any]) -> list[dict[str, Any]]:
    match question.value:
        case {"action_requests": [*actions]}:
            return actions
        case {"type": "tool_approval"}:
            return [question.value]
        case _:
            return []


def _is_about(action: dict[str, Any], call: ToolCall) -> bool:
    return action.get("name") == call["name"] and action.get("tool_call_id", call["id"]) == call["id"]


def _same(action: dict[str, Any], call: ToolCall) -> bool:
    return digest(action["name"], action["args"]) == digest(call["name"], call["args"])
