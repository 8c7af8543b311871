"""`knowledge_search` in real agents: passages with ids, uses counted, and nothing where nothing is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import knowledge_search
from handraise.core.errors import Misconfigured
from handraise.knowledge.search import Search
from handraise.knowledge.tool import connect
from handraise.store.store import Store
from tests.knowledge.gap_agent import agent
from tests.knowledge.samples import POINTS, POINTS_ANSWER, events_of, publish
from tests.store.samples import add_sessions


@pytest.fixture
async def connected(store: Store) -> AsyncIterator[Store]:
    """Connect the tool to a store, as the service does."""
    connect(Search(store))
    yield store
    connect(None)


async def ask(question: str, *, session_id: str) -> dict[str, Any]:
    config: Any = {"configurable": {"thread_id": session_id}}
    running: Any = agent.copy(update={"checkpointer": InMemorySaver()})
    answered: dict[str, Any] = await running.ainvoke({"messages": [HumanMessage(question)]}, config)
    if "__interrupt__" in answered:
        answered = await running.ainvoke(Command(resume={"status": "answered", "response": "asked"}), config)
    return answered


async def test_an_agent_answers_from_the_knowledge_base_and_the_use_is_counted(connected: Store) -> None:
    entry = await publish(connected, POINTS, POINTS_ANSWER)
    await add_sessions(connected, "s1")
    answered = await ask("请问积分规则？", session_id="s1")
    assert answered["messages"][-1].text == f"[{entry.id}] {POINTS_ANSWER}"
    after = await connected.read(lambda tx: tx.knowledge.get(entry.id))
    assert (after.uses, after.version) == (1, entry.version)
    [used] = await events_of(connected, "s1")
    assert used.fact.model_dump() == {"name": "entry.used", "entry_id": entry.id, "query": "请问积分规则？"}


async def test_an_agent_that_finds_nothing_asks_a_person(connected: Store) -> None:
    answered = await ask(POINTS, session_id="s1")
    [found, asked] = [message for message in answered["messages"] if isinstance(message, ToolMessage)]
    assert json.loads(found.text) == {"passages": []}
    assert asked.name == "ask_human_agent"


async def test_a_conversation_that_is_not_ours_is_served_all_the_same(connected: Store) -> None:
    entry = await publish(connected, POINTS, POINTS_ANSWER)
    await ask(POINTS, session_id="elsewhere")
    assert (await connected.read(lambda tx: tx.knowledge.get(entry.id))).uses == 1


async def test_many_agents_at_once_count_every_use(connected: Store) -> None:
    entry = await publish(connected, POINTS, POINTS_ANSWER)
    await asyncio.gather(*(knowledge_search.ainvoke({"query": POINTS}) for _ in range(20)))
    assert (await connected.read(lambda tx: tx.knowledge.get(entry.id))).uses == 20


async def test_an_agent_without_an_event_loop_can_search_from_its_thread(connected: Store) -> None:
    await publish(connected, POINTS, POINTS_ANSWER)
    found = await asyncio.to_thread(knowledge_search.invoke, {"query": POINTS})
    assert [passage["answer"] for passage in json.loads(found)["passages"]] == [POINTS_ANSWER]


async def test_waiting_on_the_stores_own_loop_is_refused_instead_of_standing_still(connected: Store) -> None:
    with pytest.raises(Misconfigured, match="cannot wait"):
        knowledge_search.invoke({"query": POINTS})


async def test_without_a_knowledge_base_the_tool_says_what_to_do() -> None:
    with pytest.raises(Misconfigured, match="handraise serve"):
        await knowledge_search.ainvoke({"query": POINTS})


def test_the_model_sees_one_argument() -> None:
    assert list(knowledge_search.args) == ["query"]
