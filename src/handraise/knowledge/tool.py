"""`knowledge_search`: the tool by which an agent looks up what the team knows.

The tool is built before there is a database. The service connects it to one for the whole process when it starts; a
program of your own does the same with `connect`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from handraise.core.actors import Actor
from handraise.core.errors import Misconfigured

if TYPE_CHECKING:
    from handraise.knowledge.search import Passage

MOST = 3
"""How many passages an agent gets: more are seldom read, and every one costs tokens."""


class Searches(Protocol):
    """What the tool needs of a knowledge base."""

    async def find(self, question: str, /, *, limit: int) -> list[Passage]: ...

    async def use(self, passages: Sequence[Passage], /, *, query: str, session_id: str | None, by: Actor) -> None: ...


class _Connected:
    """The knowledge base of this process, and the event loop that its store belongs to."""

    base: Searches | None = None
    loop: asyncio.AbstractEventLoop | None = None


def connect(base: Searches | None) -> None:
    """Let every `knowledge_search` of this process answer from `base`; None disconnects it."""
    _Connected.base = base
    _Connected.loop = None if base is None else asyncio.get_running_loop()


class KnowledgeQuery(BaseModel):
    """What to look up."""

    query: str = Field(description="The customer's question, in the customer's own words and language.")


async def _search(query: str, config: RunnableConfig) -> str:
    base = _Connected.base
    if base is None:
        raise Misconfigured(
            "knowledge_search has no knowledge base in this process.",
            fix="Run the agent with `handraise serve`, or call handraise.knowledge.tool.connect first.",
        )
    passages = await base.find(query, limit=MOST)
    session_id = (config.get("configurable") or {}).get("thread_id")
    await base.use(passages, query=query, session_id=session_id, by=Actor(kind="agent", channel="knowledge_search"))
    return json.dumps({"passages": [_shown(passage) for passage in passages]}, ensure_ascii=False)


def _search_from_a_thread(query: str, config: RunnableConfig) -> str:
    """Search for an agent that runs without an event loop: the store's own loop does it."""
    loop = _Connected.loop
    try:
        here = asyncio.get_running_loop()
    except RuntimeError:
        here = None
    if loop is None or here is not None:
        raise Misconfigured(
            "knowledge_search was called without `await` where it cannot wait.",
            fix="Connect it first, and run the agent with `ainvoke` or `astream`, or from another thread.",
        )
    return asyncio.run_coroutine_threadsafe(_search(query, config), loop).result()


def _shown(passage: Passage) -> dict[str, Any]:
    entry = passage.entry
    return {"id": entry.id, "question": entry.question, "answer": entry.answer, "score": passage.score}


knowledge_search: BaseTool = StructuredTool.from_function(
    func=_search_from_a_thread,
    coroutine=_search,
    name="knowledge_search",
    description=(
        "Search the team's knowledge base. Returns passages with their ids, the best first. "
        "If there are none, the knowledge base has no answer: ask a person, and do not guess."
    ),
    args_schema=KnowledgeQuery,
)
