"""What the engine uses of LangGraph's checkpoints and was never promised. A failure says what stops working for us."""

from __future__ import annotations

import inspect
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from handraise.engine.checkpoints.strictness import STRICT_RESUME, reads_strictly


class Said(TypedDict, total=False):
    answer: str


def paused_graph(session: dict[str, Any]) -> Any:
    builder = StateGraph(Said)
    builder.add_node("ask", lambda state: {"answer": interrupt("?")})
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    graph: Any = builder.compile(checkpointer=InMemorySaver())
    graph.invoke({}, session)
    return graph


def test_a_strict_resume_refuses_an_answer_to_what_nobody_asked() -> None:
    session = {"configurable": {"thread_id": "s-1", STRICT_RESUME: True}}
    graph = paused_graph(session)
    stray = "0" * 32

    with pytest.raises(Exception, match=stray):
        graph.invoke(Command(resume={stray: "yes"}), session)
    assert graph.get_state(session).interrupts, "a late answer would move the run past its question"


def test_a_resume_that_is_not_strict_lets_it_by() -> None:
    session: dict[str, Any] = {"configurable": {"thread_id": "s-1"}}

    assert paused_graph(session).invoke(Command(resume={"0" * 32: "yes"}), session), "the switch has no effect any more"


@pytest.mark.parametrize("strict", [True, False])
def test_checkpoints_are_read_strictly_as_langgraph_says(strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", strict)

    assert reads_strictly() is strict, "the engine starts although a crafted row in the database could run code"


@pytest.mark.parametrize(
    ("saver", "cursor", "takes"),
    [(PostgresSaver, "_cursor", ["self", "pipeline"]), (SqliteSaver, "cursor", ["self", "transaction"])],
)
def test_the_stock_savers_send_every_statement_through_one_cursor(saver: Any, cursor: str, takes: list[str]) -> None:
    assert [*inspect.signature(getattr(saver, cursor)).parameters] == takes, "our savers cannot put theirs in its place"
    for method in ("put", "put_writes", "delete_thread", "get_tuple"):
        used = f"self.{cursor}(" in inspect.getsource(getattr(saver, method))
        assert used, f"{saver.__name__}.{method} goes past the store's transaction, and past the fence"
