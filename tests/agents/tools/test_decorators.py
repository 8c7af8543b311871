"""The decorators: the documented code blocks, what survives decoration, and what no answer can break."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from handraise import InterruptParams, human_in_the_loop, human_in_the_loop_async
from handraise.core.errors import Misconfigured
from handraise.testing import ScriptedModel

Agent = CompiledStateGraph[Any, Any, Any, Any]

SESSION: RunnableConfig = {"configurable": {"thread_id": "session"}}
HELLO: dict[str, Any] = {"messages": [("user", "hello")]}


def agent_that_calls(gated: BaseTool, args: dict[str, Any], **settings: Any) -> Agent:
    call = {"name": gated.name, "args": args, "id": "call_1"}
    model = ScriptedModel.replaying(AIMessage("", tool_calls=[call]), AIMessage("done"))
    agent: Agent = create_agent(model, [gated], **{"checkpointer": InMemorySaver(), **settings})
    return agent


def paused_on(result: dict[str, Any]) -> Any:
    (pause,) = result["__interrupt__"]
    return pause.value


def tool_message(result: dict[str, Any]) -> ToolMessage:
    (message,) = [message for message in result["messages"] if isinstance(message, ToolMessage)]
    return message


# The code blocks as documented.


@human_in_the_loop
def get_current_time() -> str:
    """获取当前时间戳"""
    return str(datetime.datetime.now().timestamp())  # noqa: DTZ005 - as documented


@human_in_the_loop_async
async def async_get_current_time() -> str:
    """异步获取当前时间戳"""
    await asyncio.sleep(0)
    return str(datetime.datetime.now().timestamp())  # noqa: DTZ005 - as documented


async def custom_handler(params: InterruptParams) -> Any:
    response = interrupt(f"我要调用工具 {params['tool_call_name']}，参数为 {params['tool_call_args']}，请确认是否调用")
    if response["type"] == "accept":
        return await params["tool"].ainvoke(params["tool_call_args"])
    if response["type"] == "reject":
        return "用户拒绝调用该工具"
    raise ValueError(f"不支持的响应类型: {response['type']}")


@human_in_the_loop_async(handler=custom_handler)
async def get_weather(city: str) -> str:
    """获取天气信息"""
    return f"{city}天气晴朗"


def documented_handler(params: InterruptParams) -> Any:
    """The default handler as documented."""
    request = {
        "action_request": {"action": params["tool_call_name"], "args": params["tool_call_args"]},
        "config": {"allow_accept": True, "allow_edit": True, "allow_respond": True},
        "description": f"Please review tool call: {params['tool_call_name']}",
    }
    response = interrupt(request)
    if response["type"] == "accept":
        return params["tool"].invoke(params["tool_call_args"])
    if response["type"] == "edit":
        return params["tool"].invoke(response["args"])
    if response["type"] == "response":
        return response["args"]
    raise ValueError(f"Unsupported interrupt response type: {response['type']}")


@human_in_the_loop
def refund(order: str, amount: float = 10.0) -> str:
    """Refund an order."""
    return f"refunded {amount} for {order}"


@human_in_the_loop(handler=documented_handler)
def refund_as_documented(order: str, amount: float = 10.0) -> str:
    """Refund an order."""
    return f"refunded {amount} for {order}"


@human_in_the_loop_async
async def refund_async(order: str, amount: float = 10.0) -> str:
    """Refund an order."""
    return f"refunded {amount} for {order}"


def test_a_decorated_function_is_a_tool_that_asks_first() -> None:
    agent = agent_that_calls(get_current_time, {})

    assert get_current_time.name == "get_current_time"
    assert get_current_time.description == "获取当前时间戳"
    assert paused_on(agent.invoke(HELLO, SESSION)) == {
        "action_request": {"action": "get_current_time", "args": {}},
        "config": {"allow_accept": True, "allow_edit": True, "allow_respond": True},
        "description": "Please review tool call: get_current_time",
    }
    result = agent.invoke(Command(resume={"type": "accept"}), SESSION)
    assert float(tool_message(result).text) > 0


async def test_an_async_function_asks_first_too() -> None:
    agent = agent_that_calls(async_get_current_time, {})

    assert paused_on(await agent.ainvoke(HELLO, SESSION))["action_request"]["action"] == "async_get_current_time"
    result = await agent.ainvoke(Command(resume={"type": "accept"}), SESSION)
    assert float(tool_message(result).text) > 0


@pytest.mark.parametrize(
    ("answer", "content"), [({"type": "accept"}, "北京天气晴朗"), ({"type": "reject"}, "用户拒绝调用该工具")]
)
async def test_a_custom_async_handler_decides_everything(answer: dict[str, Any], content: str) -> None:
    agent = agent_that_calls(get_weather, {"city": "北京"})

    asked = paused_on(await agent.ainvoke(HELLO, SESSION))
    result = await agent.ainvoke(Command(resume=answer), SESSION)

    assert asked == "我要调用工具 get_weather，参数为 {'city': '北京'}，请确认是否调用"
    assert tool_message(result).text == content


@pytest.mark.parametrize("gated", [refund, refund_as_documented], ids=["ours", "as documented"])
@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ({"type": "accept"}, "refunded 10.0 for 12345"),
        ({"type": "edit", "args": {"order": "12345", "amount": 5}}, "refunded 5.0 for 12345"),
        ({"type": "response", "args": "not refundable"}, "not refundable"),
    ],
    ids=["accept", "edit", "response"],
)
def test_the_default_answers_of_s1(gated: BaseTool, answer: dict[str, Any], content: str) -> None:
    agent = agent_that_calls(gated, {"order": "12345"})
    agent.invoke(HELLO, SESSION)

    assert tool_message(agent.invoke(Command(resume=answer), SESSION)).text == content


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ([{"type": "accept", "args": None}], "refunded 10.0 for 12345"),
        ({"type": "edit", "args": {"action": "refund", "args": {"order": "7"}}}, "refunded 10.0 for 7"),
        ([{"type": "edit", "args": {"action": "refund", "args": {"order": "7"}}}], "refunded 10.0 for 7"),
        ({"type": "edit", "args": {"order": "7", "amount": "2.5"}}, "refunded 2.5 for 7"),
        ([{"type": "ignore", "args": None}], "The reviewer set this call aside, so it was not executed."),
    ],
)
def test_answers_in_the_agent_inbox_s_own_words_are_understood(answer: Any, content: str) -> None:
    agent = agent_that_calls(refund, {"order": "12345"})
    agent.invoke(HELLO, SESSION)

    assert tool_message(agent.invoke(Command(resume=answer), SESSION)).text == content


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"type": "reject"}, "Unsupported interrupt response type: 'reject'"),
        ({"type": ["accept"]}, "Unsupported interrupt response type"),
        ("accept", "not an object with a `type`"),
        ([{"type": "accept"}, {"type": "accept"}], "not an object with a `type`"),
        ({"type": "edit"}, "not an object"),
        ({"type": "edit", "args": {"amount": 1}}, "order: Field required"),
        ({"type": "edit", "args": {"order": "1", "amount": "much"}}, "amount: Input should be a valid number"),
        ({"type": "edit", "args": {"order": "1", "amuont": 5}}, "takes no argument 'amuont'"),
        ({"type": "edit", "args": {"action": "delete_all", "args": {}}}, "names 'delete_all'"),
        ({"type": "response"}, "has no `args`"),
    ],
)
@pytest.mark.real
def test_a_bad_answer_is_refused_and_the_request_stays_answerable(tmp_path: Path, answer: Any, why: str) -> None:
    with SqliteSaver.from_conn_string(str(tmp_path / "sessions.db")) as saver:
        agent = agent_that_calls(refund, {"order": "12345"}, checkpointer=saver)
        asked = agent.invoke(HELLO, SESSION)["__interrupt__"]

        for _ in range(2):
            with pytest.raises(ValueError, match=why) as refused:
                agent.invoke(Command(resume=answer), SESSION)
            assert "SuppliedTool" not in str(refused.value), "an error shows the answer, not the agent's insides"

        assert agent.get_state(SESSION).interrupts == tuple(asked)
        result = agent.invoke(Command(resume={"type": "accept"}), SESSION)
        assert tool_message(result).text == "refunded 10.0 for 12345"


async def test_a_bad_answer_to_an_async_tool_is_refused_and_can_be_given_again() -> None:
    agent = agent_that_calls(refund_async, {"order": "12345"})
    await agent.ainvoke(HELLO, SESSION)

    with pytest.raises(ValueError, match="'reject'"):
        await agent.ainvoke(Command(resume={"type": "reject"}), SESSION)

    result = await agent.ainvoke(Command(resume={"type": "edit", "args": {"order": "7"}}), SESSION)
    assert tool_message(result).text == "refunded 10.0 for 7"


async def test_a_sync_tool_can_be_reviewed_from_an_async_agent() -> None:
    agent = agent_that_calls(refund_as_documented, {"order": "12345"})
    await agent.ainvoke(HELLO, SESSION)

    result = await agent.ainvoke(Command(resume={"type": "accept"}), SESSION)

    assert tool_message(result).text == "refunded 10.0 for 12345"


def test_a_mismatch_of_sync_and_async_is_told_at_decoration() -> None:
    async def late(text: str) -> str:
        """Be late."""
        return text

    with pytest.raises(Misconfigured, match="human_in_the_loop_async"):
        human_in_the_loop(late)
    with pytest.raises(Misconfigured, match="human_in_the_loop_async"):
        human_in_the_loop(handler=custom_handler)(refund)
    with pytest.raises(NotImplementedError, match="ainvoke"):
        refund_async.invoke({"order": "1"})
