"""Driving: what the walk says, done with the agent, from sync and from async code."""

from __future__ import annotations

import uuid
from typing import Any, assert_never

from langchain_core.runnables import RunnableConfig
from langgraph.pregel import Pregel

from handraise.agents.reviewing.walk import Act, AnswerRefused, Invoke, Look, Reviewer, telling_refusals, walk
from handraise.core.errors import Misconfigured
from handraise.graphs.breakpoints import StateUpdate

Agent = Pregel[Any, Any, Any, Any]


def run_reviewed(agent: Agent, input: Any, config: RunnableConfig | None, *, person: Reviewer) -> Any:
    """Run the agent to its end, with `person` answering on the way; return its final state.

    A session that was already paused is answered first. Without a `thread_id` in `config` a new session begins.
    """
    config = _session(agent, config)
    acts = walk(person, input, session_id=str(config["configurable"]["thread_id"]))
    act = next(acts)
    try:
        while True:
            try:
                with telling_refusals():
                    outcome = _perform(agent, act, config)
            except AnswerRefused as refused:
                act = acts.throw(refused)
            else:
                act = acts.send(outcome)
    except StopIteration as end:
        return end.value


async def arun_reviewed(agent: Agent, input: Any, config: RunnableConfig | None, *, person: Reviewer) -> Any:
    """`run_reviewed` for agents with async tools. While the person thinks, the event loop waits too."""
    config = _session(agent, config)
    acts = walk(person, input, session_id=str(config["configurable"]["thread_id"]))
    act = next(acts)
    try:
        while True:
            try:
                with telling_refusals():
                    outcome = await _perform_async(agent, act, config)
            except AnswerRefused as refused:
                act = acts.throw(refused)
            else:
                act = acts.send(outcome)
    except StopIteration as end:
        return end.value


def _perform(agent: Agent, act: Act, config: RunnableConfig) -> Any:
    match act:
        case Invoke(step=step):
            return agent.invoke(step, config, durability="sync")
        case Look():
            return agent.get_state(config)
        case StateUpdate(messages=messages, as_node=as_node):
            return agent.update_state(config, {"messages": messages}, as_node)
        case _ as never:
            assert_never(never)


async def _perform_async(agent: Agent, act: Act, config: RunnableConfig) -> Any:
    match act:
        case Invoke(step=step):
            return await agent.ainvoke(step, config, durability="sync")
        case Look():
            return await agent.aget_state(config)
        case StateUpdate(messages=messages, as_node=as_node):
            return await agent.aupdate_state(config, {"messages": messages}, as_node)
        case _ as never:
            assert_never(never)


def _session(agent: Agent, config: RunnableConfig | None) -> RunnableConfig:
    """Return the config with a session in it, or say what the agent lacks to keep one."""
    if agent.checkpointer in (None, False):
        raise Misconfigured(
            "The agent has no checkpointer, so it cannot go on after a pause.",
            fix="Pass one when you build it, such as create_agent(..., checkpointer=InMemorySaver()).",
        )
    given = config or {}
    settings = {"thread_id": str(uuid.uuid4()), **given.get("configurable", {})}
    return {**given, "configurable": settings}
