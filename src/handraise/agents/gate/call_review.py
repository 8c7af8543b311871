"""Review of one call: what a gate refuses without asking, what it asks, and what it makes of the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AnyMessage, ToolCall, ToolMessage
from langgraph.runtime import get_runtime

from handraise.agents.gate.answers import Answered, all_answers, one_answer
from handraise.agents.gate.asking import ask, must_have_checkpointer, task_id
from handraise.agents.gate.execution import Approved, ToolResult, aexecute, effect_key, execute, released
from handraise.agents.gate.history import ModelTurn, last_turn
from handraise.agents.gate.marks import GateMark
from handraise.agents.gate.memory import TaskMemory, arecall, recall
from handraise.agents.gate.payloads import batched_value, per_call_value
from handraise.agents.gate.questions import Question
from handraise.agents.gate.rules import Rule
from handraise.agents.gate.state import edits_of, records_of
from handraise.agents.upstream.gate import Wording
from handraise.agents.upstream.tasks import runs_several_calls
from handraise.core.digests import digest
from handraise.core.errors import NotCanonical

NOT_LISTED = "`{name}` was not executed: it is not among the tools that this agent may use."
NO_ID = "`{name}` was not executed: its call has no id, so no decision could be matched to it. Call it again."
SHARED_ID = (
    "`{name}` was not executed: several calls of this turn share the id {id!r}, so no decision could be matched to one "
    "of them. Call it again with an id of its own."
)
NOT_REVIEWABLE = "`{name}` was not executed: its arguments cannot be reviewed. {why}"
NOT_ALONE = (
    "`{name}` was not executed: it reached the tools without review, together with other calls. "
    "Call it again, so that it can be reviewed."
)


@dataclass(frozen=True, kw_only=True)
class CallReview:
    """A gate at the door of a tool, where it sees each call as it would run."""

    wording: Wording
    with_details: bool
    require_named: bool

    def review(
        self, request: ToolCallRequest, rule: Rule, handler: Callable[[ToolCallRequest], ToolResult]
    ) -> ToolResult:
        """Run a call that its rule lets pass, or exactly what was approved; ask if that is not known yet."""
        settled = self._settled_before(request, rule)
        if settled is None:
            memory = recall()
            ruled = self._ruled(request, memory)
            asks = rule.wants_review(request) if ruled is None else ruled
            settled = self._ask_about(request, rule, memory) if asks else self._passed(request)
        if isinstance(settled, ToolMessage):
            return settled
        return self._with_notice(execute(settled, handler), settled)

    async def areview(
        self, request: ToolCallRequest, rule: Rule, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> ToolResult:
        """Async twin of `review`."""
        settled = self._settled_before(request, rule)
        if settled is None:
            memory = await arecall()
            ruled = self._ruled(request, memory)
            asks = await rule.awants_review(request) if ruled is None else ruled
            settled = self._ask_about(request, rule, memory) if asks else self._passed(request)
        if isinstance(settled, ToolMessage):
            return settled
        return self._with_notice(await aexecute(settled, handler), settled)

    def _settled_before(self, request: ToolCallRequest, rule: Rule) -> Approved | ToolMessage | None:
        """Return what is known of a call without asking anybody: a refusal, its result, or its stored decision."""
        call = request.tool_call
        turn = last_turn(_messages(request.state))
        if refusal := refusal_of(call, rule, turn):
            return refusal
        if turn is None:
            return None
        if result := turn.results.get(str(call["id"])):
            # Another middleware sent a finished call to the tools again: its result stands.
            return result
        return None if self.wording.mode == "per_call" else self._from_record(request, rule, turn)

    def _from_record(self, request: ToolCallRequest, rule: Rule, turn: ModelTurn) -> Approved | ToolMessage | None:
        call, message_id, gate = request.tool_call, turn.message.id, self.wording.gate_name
        record = records_of(request.state, message_id)["gates"].get(gate, {}).get(str(call["id"]))
        if record is None:
            return None
        decision = record["decision"]
        if decision and decision["type"] in {"reject", "respond"}:
            return self.wording.in_place_of_result(decision, call, rule.config)
        edit = edits_of(request.state, message_id).get(str(call["id"]))
        to_run = self.wording.edited(request, edit) if edit else request
        if _digest(to_run.tool_call) != record["digest"]:
            return None
        effect = effect_key(record["asked_in"], gate, call) if decision else None
        return Approved(request=to_run, digest=record["digest"], effect=effect, edit=edit)

    def _ruled(self, request: ToolCallRequest, memory: TaskMemory) -> bool | None:
        """Return whether this call, as it is now, was asked about or let pass before its task paused."""
        return memory.ruled(self._ruling(request.tool_call), request.tool_call)

    def _passed(self, request: ToolCallRequest) -> Approved:
        """Return a call that its rule lets pass, bound to the arguments that the rule has seen."""
        ruling = self._ruling(request.tool_call)
        return Approved(request=request, digest=ruling.digest, passed=ruling)

    def _ask_about(self, request: ToolCallRequest, rule: Rule, memory: TaskMemory) -> Approved | ToolMessage:
        """Ask a person about one call, as it stands at the door of the tool."""
        call = request.tool_call
        if _is_one_of_many(request):
            return _not_executed(call, NOT_ALONE.format(name=call["name"]))
        must_have_checkpointer(call["name"])
        ruling = self._ruling(call)
        question = Question(call=call, config=rule.config, digest=ruling.digest, tool=request.tool)
        before = memory.question_on(call)
        value = before.value if before else self._value(question, request)
        if self.wording.mode == "per_call":
            answers = one_answer(question, require_named=self.require_named)
            decision = ask(value, answers, memory, shown=before is not None, ruling=ruling)
        else:
            answers = all_answers([question], require_named=self.require_named)
            [decision] = ask(value, answers, memory, shown=before is not None, ruling=ruling)
        return self._outcome(request, rule, decision)

    def _value(self, question: Question, request: ToolCallRequest) -> Any:
        if self.wording.mode == "per_call":
            return per_call_value(question, request, wording=self.wording, with_details=self.with_details)
        return batched_value(
            [question], request.state, get_runtime(), wording=self.wording, with_details=self.with_details
        )

    def _outcome(self, request: ToolCallRequest, rule: Rule, decision: Answered) -> Approved | ToolMessage:
        effect = effect_key(task_id(), self.wording.gate_name, request.tool_call)
        if decision["type"] == "edit":
            edit = decision["edited_action"]
            edited = released(self.wording.edited(request, edit), shown=request.tool_call)
            return Approved(request=edited, digest=_digest(edited.tool_call), effect=effect, edit=edit)
        if decision["type"] == "approve":
            return Approved(request=request, digest=_digest(request.tool_call), effect=effect)
        return self.wording.in_place_of_result(decision, request.tool_call, rule.config)

    def _with_notice(self, result: ToolResult, approved: Approved) -> ToolResult:
        return self.wording.with_notice(result, approved.request, approved.edit)

    def _ruling(self, call: ToolCall) -> GateMark:
        return GateMark(task=task_id(), gate=self.wording.gate_name, call_id=str(call["id"]), digest=_digest(call))


def refusal_of(call: ToolCall, rule: Rule, turn: ModelTurn | None) -> ToolMessage | None:
    """Return what the model is told of a call that nobody can be asked about, or None."""
    name = call["name"]
    if rule.verdict == "deny":
        return _not_executed(call, NOT_LISTED.format(name=name))
    if not call["id"]:
        return _not_executed(call, NO_ID.format(name=name))
    if turn and call["id"] in turn.ids_used_twice():
        return _not_executed(call, SHARED_ID.format(name=name, id=call["id"]))
    try:
        _digest(call)
    except NotCanonical as error:
        return _not_executed(call, NOT_REVIEWABLE.format(name=name, why=error))
    return None


def _not_executed(call: ToolCall, why: str) -> ToolMessage:
    return ToolMessage(why, name=call["name"], tool_call_id=call["id"] or "", status="error")


def _is_one_of_many(request: ToolCallRequest) -> bool:
    """Return whether this call shares its task with others, as it does when a middleware jumps to the tools.

    They run side by side and LangGraph tells their answers apart only by who asked first, which is chance.
    """
    turn = last_turn(_messages(request.state))
    return runs_several_calls() and turn is not None and len(turn.message.tool_calls) > 1


def _messages(state: Any) -> list[AnyMessage]:
    if isinstance(state, list):
        return state
    found = state.get("messages") if isinstance(state, dict) else getattr(state, "messages", None)
    return found or []


def _digest(call: ToolCall) -> str:
    return digest(call["name"], call["args"])
