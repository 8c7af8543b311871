"""The examples of the guide to human-in-the-loop middleware, with one import changed."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel

SQL = "DELETE FROM records WHERE created_at < NOW() - INTERVAL '30 days';"
did: list[Any] = []


def write_file_tool(path: str, text: str) -> str:
    """Write a file."""
    did.append(("write_file", path, text))
    return "written"


def execute_sql_tool(query: str) -> str:
    """Run SQL."""
    did.append(("execute_sql", query))
    return "30 rows"


def read_data_tool(key: str) -> str:
    """Read data."""
    did.append(("read_data", key))
    return "data"


for _tool in (write_file_tool, execute_sql_tool, read_data_tool):
    _tool.__name__ = _tool.__name__.removesuffix("_tool")


@pytest.fixture(autouse=True)
def _nothing_done() -> None:
    did.clear()


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    """The guide's agent, as written there. Its model is the only thing that this machine does not have."""
    calls = [{"name": name, "args": args, "id": f"call-{n}"} for n, (name, args) in enumerate(request.param)]
    model = ScriptedModel.replaying(AIMessage("", tool_calls=calls), AIMessage("Done."))
    monkeypatch.setattr("langchain.agents.factory.init_chat_model", lambda name: model)

    return create_agent(
        model="openai:gpt-4o",
        tools=[write_file_tool, execute_sql_tool, read_data_tool],
        middleware=[
            HumanInTheLoopMiddleware(
                interrupt_on={
                    "write_file": True,
                    "execute_sql": {"allowed_decisions": ["approve", "reject"]},
                    "read_data": False,
                },
                description_prefix="Tool execution pending approval",
            ),
        ],
        checkpointer=InMemorySaver(),
    )


config: Any = {"configurable": {"thread_id": "some_id"}}
sql_call = pytest.mark.parametrize("agent", [[("execute_sql", {"query": SQL})]], indirect=True)
file_call = pytest.mark.parametrize("agent", [[("write_file", {"path": "a.txt", "text": "old"})]], indirect=True)


def _begin(agent: Any) -> Any:
    return agent.invoke(
        {
            "messages": [
                {
                    "role": "user",
                    "content": "Delete old records from the database",
                }
            ]
        },
        config=config,
    )


@sql_call
def test_the_interrupt_has_the_action_and_what_may_be_decided(agent: Any) -> None:
    result = _begin(agent)

    [interrupt] = result["__interrupt__"]
    assert interrupt.value == {
        "action_requests": [
            {
                "name": "execute_sql",
                "args": {"query": SQL},
                "description": f"Tool execution pending approval\n\nTool: execute_sql\nArgs: { ({'query': SQL})!r}",
            }
        ],
        "review_configs": [{"action_name": "execute_sql", "allowed_decisions": ["approve", "reject"]}],
    }


@sql_call
def test_approve_runs_the_call_as_it_is(agent: Any) -> None:
    _begin(agent)

    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config=config)

    assert did == [("execute_sql", SQL)]


@file_call
def test_edit_runs_the_call_changed(agent: Any) -> None:
    _begin(agent)

    agent.invoke(
        Command(
            resume={
                "decisions": [
                    {
                        "type": "edit",
                        "edited_action": {
                            "name": "write_file",
                            "args": {"path": "a.txt", "text": "new_value"},
                        },
                    }
                ]
            }
        ),
        config=config,
    )

    assert did == [("write_file", "a.txt", "new_value")]


@sql_call
def test_reject_gives_the_agent_the_reason(agent: Any) -> None:
    _begin(agent)

    result = agent.invoke(
        Command(
            resume={
                "decisions": [
                    {
                        "type": "reject",
                        "message": "No, this is wrong because ..., instead do this ...",
                    }
                ]
            }
        ),
        config=config,
    )

    assert did == []
    [told] = [message for message in result["messages"] if isinstance(message, ToolMessage)]
    assert told.status == "error"
    assert "No, this is wrong because ..., instead do this ..." in told.text


@pytest.mark.parametrize(
    "agent",
    [
        [
            ("execute_sql", {"query": "SELECT 1"}),
            ("write_file", {"path": "a.txt", "text": "old"}),
            ("read_data", {"key": "k"}),
            ("execute_sql", {"query": SQL}),
        ]
    ],
    indirect=True,
)
def test_several_decisions_come_in_the_order_of_the_actions(agent: Any) -> None:
    _begin(agent)

    agent.invoke(
        Command(
            resume={
                "decisions": [
                    {"type": "approve"},
                    {
                        "type": "edit",
                        "edited_action": {"name": "write_file", "args": {"path": "a.txt", "text": "new_value"}},
                    },
                    {"type": "reject", "message": "This action is not allowed"},
                ]
            }
        ),
        config=config,
    )

    assert sorted(did) == [
        ("execute_sql", "SELECT 1"),
        ("read_data", "k"),
        ("write_file", "a.txt", "new_value"),
    ]


@pytest.mark.parametrize("agent", [[("read_data", {"key": "k"})]], indirect=True)
def test_a_safe_call_needs_nobody(agent: Any) -> None:
    result = _begin(agent)

    assert "__interrupt__" not in result
    assert did == [("read_data", "k")]
