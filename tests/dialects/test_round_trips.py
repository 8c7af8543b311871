"""What the agent receives means what the person decided, whatever was asked and whatever was decided.

The agent's side is written out here, apart from the code under test, as our documentation and LangChain's describe it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handraise.core.actors import Actor
from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.digests import digest
from handraise.core.requests import Request
from handraise.dialects.chat_agent import read_answer
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import offered, read_requests, write_resume

Decision = Approve | Edit | Reject | Respond

AT = datetime(2030, 1, 1, tzinfo=UTC)
ASKED = PauseContext(session_id="session", run_id="run", at=AT)
OPERATOR = Actor(kind="operator", id="ana")

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
words = text.filter(lambda value: bool(value.strip()))
scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e9, 1e9) | text
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=5
)
arguments = st.dictionaries(text, json_values, max_size=3)
calls = st.tuples(words, arguments)
decisions: st.SearchStrategy[Decision] = st.one_of(
    st.just(Approve()),
    st.builds(Edit, args=arguments),
    st.builds(Reject, reason=text),
    st.builds(Respond, text=words),
)
per_call = st.lists(st.tuples(calls, decisions), min_size=1, max_size=4)


def decide(value: Any, wanted: list[Decision], response_schema: Any = None) -> tuple[list[Request], Any]:
    interrupt = RawInterrupt(id="interrupt", value=value, response_schema=response_schema)
    requests = read_requests(interrupt, asked=ASKED)
    closed = [request.decide(each, by=OPERATOR, at=AT) for request, each in zip(requests, wanted, strict=True)]
    return requests, write_resume(closed)


def as_langchain_takes_it(decision: dict[str, Any], tool: str) -> Decision:
    match decision:
        case {"type": "approve"}:
            return Approve()
        case {"type": "edit", "edited_action": {"name": name, "args": args}} if name == tool:
            return Edit(args=args)
        case {"type": "reject"}:
            return Reject(reason=decision.get("message", ""))
        case {"type": "respond", "message": message}:
            return Respond(text=message)
        case _:
            raise AssertionError(decision)


def as_agent_inbox_takes_it(answer: dict[str, Any]) -> Decision:
    match answer:
        case {"type": "accept"}:
            return Approve()
        case {"type": "edit", "args": args}:
            return Edit(args=args)
        case {"type": "response", "args": args}:
            return Respond(text=args)
        case _:
            raise AssertionError(answer)


@given(per_call)
def test_langchain_batched_means_what_was_decided(asked: list[tuple[tuple[str, dict[str, Any]], Decision]]) -> None:
    wanted = [decision for _, decision in asked]
    value = {"action_requests": [{"name": name, "args": args} for (name, args), _ in asked], "review_configs": []}

    requests, resume = decide(value, wanted)

    assert [request.args for request in requests] == [args for (_, args), _ in asked]
    tools = [name for (name, _), _ in asked]
    assert [as_langchain_takes_it(*each) for each in zip(resume["decisions"], tools, strict=True)] == wanted


@given(calls, decisions)
def test_langchain_per_call_means_what_was_decided(call: tuple[str, dict[str, Any]], wanted: Decision) -> None:
    value = {"type": "tool_approval", "tool_call_id": "call", "name": call[0], "args": call[1], "description": ""}

    _, resume = decide(value, [wanted])

    assert as_langchain_takes_it(resume, call[0]) == wanted


@given(calls, decisions.filter(lambda decision: decision.type != "reject"))
def test_agent_inbox_means_what_was_decided(call: tuple[str, dict[str, Any]], wanted: Decision) -> None:
    config = {"allow_accept": True, "allow_edit": True, "allow_respond": True}
    value = {"action_request": {"action": call[0], "args": call[1]}, "config": config, "description": ""}

    _, bare = decide(value, [wanted])
    _, listed = decide([value], [wanted])

    assert as_agent_inbox_takes_it(bare) == wanted
    (item,) = listed
    if item["type"] == "edit":
        assert item["args"]["action"] == call[0]
        item = {"type": "edit", "args": item["args"]["args"]}
    assert as_agent_inbox_takes_it(item) == wanted


@given(words, st.lists(words, unique=True, max_size=4), text, st.data())
def test_a_human_request_means_what_was_answered(question: str, ids: list[str], said: str, data: st.DataObject) -> None:
    selected = data.draw(st.sampled_from(ids)) if ids else None
    wanted = Respond(text=said if selected or said.strip() else "yes", selected_option=selected)
    value = {
        "question": question,
        "question_type": "decision_required",
        "options": [{"id": each, "label": each} for each in ids],
    }

    (request,), resume = decide(value, [wanted])

    assert request.question == question
    assert resume["status"] == "answered"
    assert resume.get("selected_option") == wanted.selected_option
    assert resume["response"] == (wanted.text or wanted.selected_option)


@given(per_call.filter(lambda asked: all(decision.type != "respond" for _, decision in asked)))
def test_a_chat_agent_means_what_was_decided(asked: list[tuple[tuple[str, dict[str, Any]], Decision]]) -> None:
    wanted = [decision for _, decision in asked]
    calls = [{"id": f"call_{position}", "name": name, "args": args} for position, ((name, args), _) in enumerate(asked)]

    requests, resume = decide({"tool_calls": calls}, wanted)
    taken = read_answer(resume, requests=requests)

    for request, decision in zip(requests, wanted, strict=True):
        # An edit that changes nothing is an approval: the chat agent's wire tells them apart only by what changed.
        same = isinstance(decision, Edit) and digest(request.tool, decision.args) == request.digest
        assert taken[request.id] == (Approve() if same else decision)


@given(json_values, words)
def test_free_form_passes_on_what_was_answered(value: Any, said: str) -> None:
    requests = read_requests(RawInterrupt(id="interrupt", value={"ask": value}), asked=ASKED)

    assert [offered(request) for request in requests] == [("respond",)]
    _, resume = decide({"ask": value}, [Respond(text=said)])
    assert resume == said
    if value is not None:
        _, resume = decide({"ask": value}, [Respond(data=value)])
        assert resume == value


@given(st.recursive(scalars | st.floats() | st.binary(max_size=3) | st.text(max_size=5), st.lists))
def test_no_interrupt_is_beyond_reading(value: Any) -> None:
    (request,) = read_requests(RawInterrupt(id="interrupt", value=value), asked=ASKED)

    assert request.question or value == ""
    request.model_dump_json()
