"""Handoffs as documented: their code blocks, on models that follow a script."""

from __future__ import annotations

from typing import Any, NotRequired

import pytest
from langchain.agents import AgentState, create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage
from langgraph.types import Command

from handraise import AgentConfig, HandoffAgentMiddleware
from handraise.testing import ScriptedModel

NOON = "12:00"


def calling(name: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name=name, args=args, id=f"call-{name}")])


SCRIPTS = {
    "vllm:qwen3-4b": ScriptedModel.replaying(calling("transfer_to_time_agent")),
    "vllm:qwen3-8b": ScriptedModel.replaying(AIMessage("?"), calling("get_current_time"), AIMessage(f"现在是 {NOON}")),
    "vllm:qwen3-coder-flash": ScriptedModel.replaying(AIMessage("?"), AIMessage("我来写代码")),
}


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the model strings that `init_chat_model` is asked for, here and in `create_agent`."""
    asked: list[str] = []

    def init_chat_model(model: str) -> BaseChatModel:
        asked.append(model)
        return SCRIPTS[model]

    monkeypatch.setattr("langchain.agents.factory.init_chat_model", init_chat_model)
    monkeypatch.setattr("handraise.agents.handoffs.config.init_chat_model", init_chat_model)
    return asked


@tool
def get_current_time() -> str:
    """获取当前时间"""
    return NOON


@tool
def get_current_weather(city: str) -> str:
    """获取当前天气"""
    return f"{city}: 晴"


@tool
def get_current_city() -> str:
    """获取当前城市"""
    return "上海"


@tool
def run_code(code: str) -> str:
    """运行代码"""
    return f"ran {code}"


def load_chat_model(model: str) -> BaseChatModel:
    return SCRIPTS[model]


agent_config: dict[str, AgentConfig] = {
    "time_agent": {
        "model": "vllm:qwen3-8b",
        "prompt": "你是一个时间助手",
        "tools": [get_current_time],
        "handoffs": ["default_agent"],
    },
    "weather_agent": {
        "prompt": "你是一个天气助手",
        "tools": [get_current_weather, get_current_city],
        "handoffs": ["default_agent"],
    },
    "code_agent": {
        "model": load_chat_model("vllm:qwen3-coder-flash"),
        "prompt": "你是一个代码助手",
        "tools": [
            run_code,
        ],
        "handoffs": ["default_agent"],
    },
    "default_agent": {
        "prompt": "你是一个助手",
        "default": True,
        "handoffs": "all",
    },
}


def contents(messages: list[AnyMessage]) -> list[str]:
    return [message.text for message in messages if message.text]


def test_the_basic_example_hands_the_question_to_the_time_agent(loaded: list[str]) -> None:
    agent = create_agent(
        model="vllm:qwen3-4b",
        middleware=[HandoffAgentMiddleware(agents_config=agent_config)],
    )

    response = agent.invoke({"messages": [HumanMessage(content="当前时间是多少？")]})

    assert contents(response["messages"]) == ["当前时间是多少？", "Transferred to time_agent", NOON, f"现在是 {NOON}"]
    assert response["active_agent"] == "time_agent"
    assert sorted(loaded) == ["vllm:qwen3-4b", "vllm:qwen3-8b"]


def test_a_model_string_is_loaded_once_however_many_agents_and_turns_use_it(loaded: list[str]) -> None:
    config: dict[str, AgentConfig] = {**agent_config, "weather_agent": {**agent_config["weather_agent"]}}
    config["weather_agent"]["model"] = "vllm:qwen3-8b"

    agent = create_agent(model="vllm:qwen3-4b", middleware=[HandoffAgentMiddleware(agents_config=config)])
    for _ in range(3):
        agent.invoke({"messages": [HumanMessage(content="当前时间是多少？")]})

    assert loaded.count("vllm:qwen3-8b") == 1


def test_names_and_descriptions_of_the_handoff_tools_are_those_of_langchain_dev_utils() -> None:
    middleware = HandoffAgentMiddleware(
        agents_config={
            "time_agent": {"prompt": "time", "handoffs": "all", "default": True},
            "weather": {"prompt": "weather", "handoffs": "all"},
        }
    )

    assert {tool.name: tool.description for tool in middleware.tools} == {
        "transfer_to_time_agent": "Transfer to the time_agent",
        "transfer_to_weather_agent": "Transfer to the weather",
    }


def test_custom_descriptions_are_what_the_model_reads(loaded: list[str]) -> None:
    descriptions = {
        "time_agent": "此工具用于交接到时间助手去解决时间查询问题",
        "weather_agent": "此工具用于交接到天气助手去解决天气查询问题",
        "code_agent": "此工具用于交接到代码助手去解决代码问题",
        "default_agent": "此工具用于交接到默认的助手",
    }
    middleware = HandoffAgentMiddleware(
        agents_config=agent_config,
        custom_handoffs_tool_descriptions=descriptions,
    )

    offered = {tool.name: tool.description for tool in middleware.tools}

    assert {name: offered[f"transfer_to_{name}"] for name in descriptions} == descriptions


@tool
def transfer_to_code_agent(runtime: ToolRuntime) -> Command[Any]:
    """此工具帮助你交接到代码助手"""
    return Command(
        update={
            "messages": [
                ToolMessage(
                    content="transfer to code agent",
                    tool_call_id=runtime.tool_call_id,
                )
            ],
            "active_agent": "code_agent",
        }
    )


def test_an_override_hands_over_with_its_own_message(loaded: list[str]) -> None:
    agent = create_agent(
        model=ScriptedModel.replaying(calling("transfer_to_code_agent")),
        middleware=[
            HandoffAgentMiddleware(
                agents_config=agent_config,
                handoffs_tool_overrides={
                    "code_agent": transfer_to_code_agent,
                },
            )
        ],
    )

    response = agent.invoke({"messages": [HumanMessage(content="写一段代码")]})

    assert contents(response["messages"]) == ["写一段代码", "transfer to code agent", "我来写代码"]
    assert response["active_agent"] == "code_agent"


class OrderState(AgentState[Any]):
    order: NotRequired[str]


def test_an_override_may_update_any_other_key(loaded: list[str]) -> None:
    @tool
    def escalate(order: str, runtime: ToolRuntime) -> Command[Any]:
        """Give the order to the code agent."""
        done = ToolMessage("escalated", tool_call_id=runtime.tool_call_id)
        return Command(update={"messages": [done], "active_agent": "code_agent", "order": order})

    agent = create_agent(
        model=ScriptedModel.replaying(calling("escalate", order="A-7")),
        state_schema=OrderState,
        middleware=[
            HandoffAgentMiddleware(agents_config=agent_config, handoffs_tool_overrides={"code_agent": escalate})
        ],
    )

    response: Any = agent.invoke({"messages": [HumanMessage(content="?")]})

    assert (response["order"], response["active_agent"]) == ("A-7", "code_agent")


def test_a_prompt_may_be_a_system_message_and_replaces_that_of_create_agent() -> None:
    def script(messages: Any) -> AIMessage:
        return AIMessage(f"My prompt is: {messages[0].text}")

    agent = create_agent(
        model=ScriptedModel(script=script),
        system_prompt="not used",
        middleware=[
            HandoffAgentMiddleware(
                {"only_agent": {"prompt": SystemMessage("你是一个助手"), "handoffs": [], "default": True}}
            )
        ],
    )

    response = agent.invoke({"messages": [HumanMessage(content="?")]})

    assert response["messages"][-1].text == "My prompt is: 你是一个助手"
