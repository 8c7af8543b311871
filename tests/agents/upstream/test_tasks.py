"""What a task of LangGraph's knows of itself while it runs, and when it runs again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt, is_invalid_resume
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Interrupt, interrupt

from handraise.agents.upstream.tasks import (
    LastPause,
    Scratchpad,
    alast_pause,
    current_task,
    has_checkpointer,
    last_pause,
    lineage,
    mark_as_refused,
    questions_in,
    runs_several_calls,
)
from handraise.testing.scripted_model import ScriptedModel

SESSION: Any = {"configurable": {"thread_id": "s-1"}}
HELLO: Any = {"messages": [("user", "Hello")]}


class Nothing(TypedDict, total=False):
    said: list[Any]


def graph_of(node: Callable[..., Any], *, checkpointer: Any = None) -> Any:
    builder = StateGraph(Nothing)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile(checkpointer=checkpointer)


def test_a_first_pass_has_no_answers() -> None:
    seen = []

    def node(state: Any) -> Any:
        seen.append(Scratchpad().is_empty())
        interrupt("?")

    graph_of(node, checkpointer=InMemorySaver()).invoke({}, SESSION)

    assert seen == [True], "a gate that asks for the first time takes the slow way, or an answer that is not there"


@pytest.mark.parametrize("by_id", [False, True], ids=["without a name", "by interrupt id"])
def test_an_answer_is_found_where_the_task_was_resumed_with_it(by_id: bool) -> None:
    seen: list[Any] = []

    def node(state: Any) -> Any:
        pad = Scratchpad()
        if not pad.is_empty():
            seen.extend([index := pad.next_index(), pad.take(index)])
            return {}
        return {"said": [interrupt("?")]}

    graph = graph_of(node, checkpointer=InMemorySaver())
    [asked] = graph.invoke({}, SESSION)["__interrupt__"]
    graph.invoke(Command(resume={asked.id: "yes"} if by_id else "yes"), SESSION)

    assert seen == [0, "yes"], "LangGraph gives a resumed task its answer elsewhere: no decision reaches a gate"


def test_an_answer_that_is_kept_comes_back_when_the_task_runs_again() -> None:
    seen: list[Any] = []

    def node(state: Any) -> Any:
        pad = Scratchpad()
        if pad.is_empty():
            interrupt("first")
        index = pad.next_index()
        seen.append(pad.take(index))
        pad.keep(index, f"marked {seen[-1]}")
        return {"said": [interrupt("second")]}

    graph = graph_of(node, checkpointer=InMemorySaver())
    graph.invoke({}, SESSION)
    graph.invoke(Command(resume="yes"), SESSION)
    graph.invoke(Command(resume="no"), SESSION)

    assert seen == ["yes", "marked yes"], "an approval is not kept over a pause of its tool: it is asked for again"


def test_an_answer_that_is_dropped_is_gone() -> None:
    seen: list[Any] = []

    def node(state: Any) -> Any:
        pad = Scratchpad()
        if not pad.is_empty():
            index = pad.next_index()
            pad.drop_from(index)
            seen.append(pad.take(index))
        return {"said": [interrupt("?")]}

    graph = graph_of(node, checkpointer=InMemorySaver())
    graph.invoke({}, SESSION)
    again = graph.invoke(Command(resume="for another question"), SESSION)

    assert seen == [None], "an answer that was meant for another call is taken"
    assert again["__interrupt__"], "nobody is asked again"


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_resumed_task_finds_its_question_and_the_answers_before_it(how: str) -> None:
    seen: list[LastPause | None] = []

    def node(state: Any) -> Any:
        seen.append(last_pause())
        return {"said": [interrupt("first"), interrupt("second")]}

    async def anode(state: Any) -> Any:
        seen.append(await alast_pause())
        return {"said": [interrupt("first"), interrupt("second")]}

    graph = graph_of(node if how == "sync" else anode, checkpointer=InMemorySaver())
    steps: list[Any] = [{}, Command(resume="one"), Command(resume="two")]
    for step in steps:
        graph.invoke(step, SESSION) if how == "sync" else asyncio.run(graph.ainvoke(step, SESSION))

    first, second, third = seen
    assert first is None, "a first pass reads the database for nothing"
    assert second is not None
    assert third is not None
    found = [([one.value for one in pause.questions], pause.answers) for pause in (second, third)]
    assert found == [(["first"], []), (["second"], ["one"])], "what was asked is not found: `when` is asked again"
    for pause in (second, third):
        assert {one.id for one in pause.questions} <= pause.own_ids, "ids are made otherwise: a gate asks twice"


def test_a_question_of_an_agent_inside_is_not_the_tasks_own() -> None:
    seen: list[LastPause | None] = []
    inside = graph_of(lambda state: {"said": [interrupt("inside")]})

    def node(state: Any) -> Any:
        seen.append(last_pause())
        return inside.invoke({})

    graph = graph_of(node, checkpointer=InMemorySaver())
    graph.invoke({}, SESSION)
    graph.invoke(Command(resume="yes"), SESSION)

    pause = seen[-1]
    assert pause is not None
    assert [one.value for one in pause.questions] == ["inside"]
    assert not {one.id for one in pause.questions} & pause.own_ids, "a gate takes the question of another for its own"


@pytest.mark.parametrize("saver", [None, InMemorySaver()], ids=["without", "with"])
def test_a_task_knows_whether_a_pause_would_be_saved(saver: Any) -> None:
    seen = []
    graph_of(lambda state: seen.append(has_checkpointer()), checkpointer=saver).invoke({}, SESSION)

    assert seen == [saver is not None], "a gate without a checkpointer asks people whom nobody could answer"


def test_a_task_has_one_id_for_as_long_as_it_pauses() -> None:
    seen = []

    def node(state: Any) -> Any:
        seen.append(current_task().task_id)
        return {"said": [interrupt("?")]}

    graph = graph_of(node, checkpointer=InMemorySaver())
    graph.invoke({}, SESSION)
    graph.invoke(Command(resume="yes"), SESSION)

    assert seen[0] == seen[1], "approvals are kept under an id that changes: each would be asked for again"


def test_a_call_that_was_sent_has_its_task_to_itself() -> None:
    seen = []

    def look_up(order: str) -> str:
        """Look up an order."""
        seen.append(runs_several_calls())
        return "shipped"

    call: Any = {"name": "look_up", "args": {"order": "A1"}, "id": "1"}
    model = ScriptedModel.replaying(AIMessage("", tool_calls=[call, {**call, "id": "2"}]), AIMessage("Done."))
    create_agent(model, [look_up]).invoke(HELLO)
    graph_of(lambda state: seen.append(runs_several_calls())).invoke({})

    assert seen == [False, False, True], "calls that share a task are told from others no more: answers may be mixed up"


def test_the_lineage_names_the_nodes_above_and_the_agent() -> None:
    seen = []

    def look_up(order: str) -> str:
        """Look up an order."""
        seen.append(lineage())
        return "shipped"

    call: Any = {"name": "look_up", "args": {"order": "A1"}, "id": "1"}
    model = ScriptedModel.replaying(AIMessage("", tool_calls=[call]), AIMessage("Done."))
    agent = create_agent(model, [look_up], name="orders")
    graph_of(lambda state: agent.invoke(HELLO) and None).invoke({})

    assert seen == [["node", "orders"]], "operators no longer see which agent asks"


def test_a_pause_carries_its_questions() -> None:
    asked = (Interrupt(value="?", id="1"),)

    assert questions_in(GraphInterrupt(asked)) == asked, "pauses of a tool lose their notes, and the agent's name"


def test_an_error_that_is_marked_is_known_as_a_refused_answer() -> None:
    error = ValueError("not this")
    mark_as_refused(error)

    assert is_invalid_resume(error), "a refused answer is shown to the model as an error of the tool"
    assert not is_invalid_resume(ValueError("other"))
