"""LangChain's tools from the inside, as our gated tools use them."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, tool
from langgraph.prebuilt import InjectedState
from pydantic import ValidationError

from handraise.agents.upstream.tools import (
    Arguments,
    ReadsItsCall,
    async_body_of,
    body_of,
    extras_for,
    has_async_body,
    injected_into,
    read_as,
    read_as_any_tool,
    schema_for_models,
    without_injected,
)


class Shouting(ReadsItsCall, BaseTool):
    """A tool that reads its calls in a way of its own."""

    name: str = "shout"
    description: str = "Shout."

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        return (), {"text": f"{given} by {call_id}".upper()}

    def _run(self, *, text: str) -> str:
        return text


class WithConfig(BaseTool):
    """A tool with bodies for sync and async code that want more than arguments."""

    name: str = "with_config"
    description: str = "Say who calls."

    def _run(self, order: str, config: RunnableConfig, run_manager: Any = None) -> str:
        return order

    async def _arun(self, order: str, config: RunnableConfig) -> str:
        return order


@tool
def refund(
    order: str,
    secret: Annotated[str, InjectedToolArg],
    state: Annotated[dict[str, Any], InjectedState],
    runtime: ToolRuntime,
) -> str:
    """Refund an order."""
    return order


@pytest.mark.parametrize("call", ["a", {"type": "tool_call", "id": "c-1", "name": "shout", "args": {"x": 1}}])
def test_a_tool_of_ours_reads_its_calls_itself(call: Any) -> None:
    said = Shouting().invoke(call)

    text = said if isinstance(said, str) else said.text
    assert text == ("A BY NONE" if call == "a" else "{'X': 1} BY C-1"), "gated tools run without asking anybody"


async def test_a_tool_of_ours_reads_its_calls_itself_in_async_code() -> None:
    assert await Shouting().ainvoke("a") == "A BY NONE", "gated tools run without asking anybody in async code"


def test_a_call_is_read_as_its_tool_reads_it() -> None:
    assert read_as(Shouting(), "a", "c-1") == ((), {"text": "A BY C-1"})
    assert read_as_any_tool(StructuredTool.from_function(lambda n: n, name="n", description="N."), {"n": 1}, None) == (
        (),
        {"n": 1},
    )


def test_arguments_that_the_tool_would_refuse_are_refused_before_anybody_is_asked() -> None:
    with pytest.raises(ValidationError):
        read_as_any_tool(refund, {"order": []}, None)


def test_injected_arguments_are_left_out_of_what_people_see() -> None:
    given: dict[str, Any] = {"order": "A1", "secret": "s", "state": {}, "runtime": None, "run_manager": None}

    assert without_injected(refund, given) == {"order": "A1"}, "people are shown, and may edit, what LangChain injects"


def test_langgraph_says_what_it_injects() -> None:
    injected = injected_into(refund)

    assert injected.given == {"state", "runtime"}, "a sealed tool refuses what LangGraph itself added to the call"
    assert injected.hidden == {"state", "runtime", "secret"}, "an injected argument counts as approved, or as changed"


def test_a_tools_body_is_run_with_what_it_wants() -> None:
    config: RunnableConfig = {"tags": ["mine"]}
    manager: Any = object()

    assert extras_for(body_of(WithConfig()), config, manager) == {"config": config, "run_manager": manager}
    assert extras_for(async_body_of(WithConfig()), config, manager) == {"config": config}
    assert extras_for(body_of(Shouting()), config, manager) == {}, "tools get what they did not ask for"


def test_a_tool_without_an_async_body_is_known() -> None:
    assert has_async_body(WithConfig()), "an async tool is run in a thread"
    assert not has_async_body(Shouting()), "a sync tool is inspected by LangChain's stand-in, and loses its config"


def test_a_model_is_not_asked_for_the_config() -> None:
    assert [*schema_for_models(WithConfig()).model_fields] == ["order"], "models are asked to write a tool's config"
    assert "config" in WithConfig().get_input_schema().__annotations__, "LangChain leaves the config out itself by now"
