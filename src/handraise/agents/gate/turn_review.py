"""Review of one turn: batched mode, where all gated calls of a model's message are one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.human_in_the_loop import Action
from langchain.agents.middleware.types import AgentState
from langchain_core.messages import AnyMessage, ToolCall
from langgraph.runtime import Runtime

from handraise.agents.gate.answers import Answered, all_answers
from handraise.agents.gate.asking import ask, must_have_checkpointer, task_id
from handraise.agents.gate.call_review import refusal_of
from handraise.agents.gate.execution import effect_key, must_not_be_running
from handraise.agents.gate.history import ModelTurn, last_turn
from handraise.agents.gate.known_tools import KnownTools
from handraise.agents.gate.memory import TaskMemory, arecall, recall
from handraise.agents.gate.payloads import batched_value
from handraise.agents.gate.questions import Question, saved_args_schema
from handraise.agents.gate.rules import Rule, Rules, asettle, settle
from handraise.agents.gate.state import (
    Record,
    edits_of,
    records_of,
    update_with,
    update_without_old_edits,
    with_gate,
)
from handraise.agents.upstream.gate import EDITS_KEY, Wording
from handraise.core.digests import digest


@dataclass(frozen=True, kw_only=True)
class OpenTurn:
    """A turn with calls that a rule speaks of, each as it would run."""

    state: AgentState[Any]
    turn: ModelTurn
    gated: list[tuple[ToolCall, Rule]]
    edits: dict[str, Action]
    """What another gate of this agent edited in the same turn."""

    def asked_before(self, memory: TaskMemory) -> list[int] | None:
        """Return the calls that a person was shown before this task paused, or None when none were."""
        found = memory.turn([call for call, _ in self.gated])
        return None if found is None else found[1]


@dataclass(frozen=True, kw_only=True)
class TurnReview:
    """A gate behind the model, where it sees a whole turn."""

    wording: Wording
    rules: Rules
    tools: KnownTools
    with_details: bool
    require_named: bool

    def review(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Ask about the gated calls of the last turn, and return what the agent's state keeps of the answers."""
        turn = self._open(state)
        if turn is None:
            return _nothing_to_ask(state)
        memory = recall()
        asked = turn.asked_before(memory)
        if asked is None:
            asked = [
                position
                for position, (call, rule) in enumerate(turn.gated)
                if settle(self.wording.wants_review(call, rule.config, state, runtime))
            ]
        return self._close(turn, asked, memory, runtime)

    async def areview(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Async twin of `review`."""
        turn = self._open(state)
        if turn is None:
            return _nothing_to_ask(state)
        memory = await arecall()
        asked = turn.asked_before(memory)
        if asked is None:
            asked = [
                position
                for position, (call, rule) in enumerate(turn.gated)
                if await asettle(self.wording.wants_review(call, rule.config, state, runtime))
            ]
        return self._close(turn, asked, memory, runtime)

    def _open(self, state: AgentState[Any]) -> OpenTurn | None:
        """Return the turn that has just begun, or None when no rule speaks of its calls."""
        turn = last_turn(state["messages"])
        if turn is None or not turn.message.tool_calls:
            return None
        edits = edits_of(state, turn.message.id)
        gated = [
            (_as_edited(call, edits), rule)
            for call in turn.message.tool_calls
            if (rule := self.rules.for_tool(call["name"])) and _is_open(call, rule, turn)
        ]
        return OpenTurn(state=state, turn=turn, gated=gated, edits=edits) if gated else None

    def _close(self, turn: OpenTurn, asked: list[int], memory: TaskMemory, runtime: Runtime[Any]) -> dict[str, Any]:
        """Ask about the calls at `asked`, and return what the agent's state keeps of the answers."""
        decisions = dict(zip(asked, self._ask(turn, asked, memory, runtime), strict=True))
        asked_in = task_id()
        edits = dict(turn.edits)
        records: dict[str, Record] = {}
        in_place: list[AnyMessage] = []
        for position, (call, rule) in enumerate(turn.gated):
            decision, call_id = decisions.get(position), str(call["id"])
            records[call_id] = Record(digest=_approved_digest(call, decision), decision=decision, asked_in=asked_in)
            if decision and decision["type"] == "edit":
                edits[call_id] = decision["edited_action"]
            elif decision and decision["type"] in {"reject", "respond"}:
                in_place.append(self.wording.in_place_of_result(decision, call, rule.config))
        kept = records_of(turn.state, turn.turn.message.id)
        update = update_with(edits, with_gate(kept, self.wording.gate_name, records))
        return {"messages": [turn.turn.message, *in_place], **update} if asked else update

    def _ask(self, turn: OpenTurn, asked: list[int], memory: TaskMemory, runtime: Runtime[Any]) -> list[Answered]:
        if not asked:
            return []
        calls = [turn.gated[position] for position in asked]
        must_have_checkpointer(calls[0][0]["name"])
        found = memory.turn([call for call, _ in turn.gated])
        published = found[0].response_schema if found else None
        questions = [
            Question(
                call=call,
                config=rule.config,
                digest=digest(call["name"], call["args"]),
                tool=self.tools.get(call["name"]),
                saved_schema=saved_args_schema(published, position),
            )
            for position, (call, rule) in enumerate(calls)
        ]
        value = found[0].value if found else self._value(questions, turn.state, runtime)
        answers = all_answers(questions, require_named=self.require_named)
        decisions: list[Answered] = ask(value, answers, memory, shown=found is not None)
        must_not_be_running(
            effect_key(task_id(), self.wording.gate_name, call)
            for (call, _), decision in zip(calls, decisions, strict=True)
            if decision["type"] in {"approve", "edit"}
        )
        return decisions

    def _value(self, questions: list[Question], state: AgentState[Any], runtime: Runtime[Any]) -> Any:
        return batched_value(questions, state, runtime, wording=self.wording, with_details=self.with_details)


def _nothing_to_ask(state: AgentState[Any]) -> dict[str, Any] | None:
    """Return what the agent's state keeps of a turn that no rule speaks of."""
    if not state.get(EDITS_KEY):
        return None
    turn = last_turn(state["messages"])
    return update_without_old_edits(state, turn.message.id if turn else None)


def _is_open(call: ToolCall, rule: Rule, turn: ModelTurn) -> bool:
    """Return whether a call has no result yet, and a person can be asked about it."""
    return call["id"] not in turn.results and refusal_of(call, rule, turn) is None


def _as_edited(call: ToolCall, edits: dict[str, Action]) -> ToolCall:
    edit = edits.get(str(call["id"]))
    return call if edit is None else ToolCall(**{**call, "args": edit["args"]})


def _approved_digest(call: ToolCall, decision: Answered | None) -> str:
    args = decision["edited_action"]["args"] if decision and decision["type"] == "edit" else call["args"]
    return digest(call["name"], args)
