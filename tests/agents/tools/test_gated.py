"""Gated tools: what a tool keeps behind a person, what it is given, and what its errors become."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, InjectedToolCallId, Tool, ToolException, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import InjectedState, InjectedStore, ToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command

from handraise import effect, human_in_the_loop, human_in_the_loop_async
from handraise.agents.run_once.once import REPEATABLE
from handraise.core.errors import Misconfigured
from handraise.testing import ScriptedModel

Agent = CompiledStateGraph[Any, Any, Any, Any]

SESSION: RunnableConfig = {"configurable": {"thread_id": "session"}}
HELLO: dict[str, Any] = {"messages": [("user", "hello")]}


@human_in_the_loop
def refund(order: str, amount: float = 10.0) -> str:
    """Refund an order."""
    return f"refunded {amount} for {order}"


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


def test_a_tool_keeps_everything_but_its_freedom() -> None:
    @tool(return_direct=True, response_format="content_and_artifact", extras={"defer_loading": True})
    def plain(order: str) -> tuple[str, dict[str, str]]:
        """Look an order up."""
        return f"order {order}", {"raw": order}

    plain.tags, plain.metadata, plain.handle_tool_error = ["orders"], {"team": "desk"}, True
    gated = human_in_the_loop(plain)

    kept = ("name", "description", "args_schema", "return_direct", "response_format", "tags", "metadata", "extras")
    assert {name: getattr(gated, name) for name in kept} == {name: getattr(plain, name) for name in kept}
    assert gated.handle_tool_error is True
    assert gated.args == plain.args
    agent = agent_that_calls(gated, {"order": "7"})
    agent.invoke(HELLO, SESSION)
    result = agent.invoke(Command(resume={"type": "accept"}), SESSION)
    assert (tool_message(result).text, tool_message(result).artifact) == ("order 7", {"raw": "7"})
    assert result["messages"][-1] is tool_message(result), "return_direct ends the turn"


def test_a_response_in_place_of_a_tool_with_artifacts_has_none() -> None:
    @human_in_the_loop
    @tool(response_format="content_and_artifact")
    def look_up(order: str) -> tuple[str, str]:
        """Look an order up."""
        return order, order

    agent = agent_that_calls(look_up, {"order": "7"})
    agent.invoke(HELLO, SESSION)

    message = tool_message(agent.invoke(Command(resume={"type": "response", "args": "gone"}), SESSION))

    assert (message.text, message.artifact) == ("gone", None)


@pytest.mark.parametrize("is_async", [False, True])
async def test_injected_values_reach_the_tool_and_never_the_payload(is_async: bool) -> None:
    seen: dict[str, Any] = {}

    def note(
        text: str,
        runtime: ToolRuntime,
        config: RunnableConfig,
        state: Annotated[dict[str, Any], InjectedState],
        store: Annotated[BaseStore, InjectedStore()],
        call_id: Annotated[str, InjectedToolCallId],
    ) -> str:
        """Take a note."""
        seen.update(text=text, config=config, state=state, store=store, call_id=call_id, runtime=runtime)
        return "noted"

    async def note_async(text: str, runtime: ToolRuntime, call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Take a note."""
        seen.update(text=text, runtime=runtime, call_id=call_id)
        return "noted"

    gated = human_in_the_loop_async(note_async) if is_async else human_in_the_loop(note)
    store = InMemoryStore()
    agent = agent_that_calls(gated, {"text": "hi"}, store=store)

    asked = paused_on(await agent.ainvoke(HELLO, SESSION))
    await agent.ainvoke(Command(resume={"type": "edit", "args": {"text": "ho"}}), SESSION)

    assert asked["action_request"] == {"action": gated.name, "args": {"text": "hi"}}
    assert (seen["text"], seen["call_id"], seen["runtime"].tool_call_id) == ("ho", "call_1", "call_1")
    if not is_async:
        assert seen["store"] is store
        assert seen["config"]["configurable"]["thread_id"] == "session"
        assert seen["state"]["messages"][0].text == "hello"


def test_an_edit_cannot_supply_what_is_injected() -> None:
    @human_in_the_loop
    def whoami(greeting: str, state: Annotated[dict[str, Any], InjectedState]) -> str:
        """Say who asks."""
        return f"{greeting} {state['messages'][0].text}"

    agent = agent_that_calls(whoami, {"greeting": "hi", "state": {"messages": []}})
    assert paused_on(agent.invoke(HELLO, SESSION))["action_request"]["args"] == {"greeting": "hi"}

    with pytest.raises(ValueError, match="takes no argument 'state'"):
        agent.invoke(Command(resume={"type": "edit", "args": {"greeting": "hi", "state": {}}}), SESSION)


def test_two_calls_of_one_turn_are_two_requests_that_are_answered_apart() -> None:
    calls = [{"name": "refund", "args": {"order": order}, "id": f"call_{order}"} for order in ("1", "2")]
    model = ScriptedModel.replaying(AIMessage("", tool_calls=calls), AIMessage("done"))
    agent: Agent = create_agent(model, [refund], checkpointer=InMemorySaver())
    ids = {
        pause.value["action_request"]["args"]["order"]: pause.id
        for pause in agent.invoke(HELLO, SESSION)["__interrupt__"]
    }

    half: dict[str, Any] = agent.invoke(Command(resume={ids["2"]: {"type": "response", "args": "no"}}), SESSION)
    assert [pause.id for pause in half["__interrupt__"]] == [ids["1"]]
    whole = agent.invoke(Command(resume={ids["1"]: {"type": "accept"}}), SESSION)

    results = [message.text for message in whole["messages"] if isinstance(message, ToolMessage)]
    assert results == ["refunded 10.0 for 1", "no"]


def test_a_tool_node_that_handles_every_error_still_lets_a_bad_answer_be_given_again() -> None:
    graph: Any = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([refund], handle_tool_errors=True))
    graph.add_edge(START, "tools")
    agent: Agent = graph.compile(checkpointer=InMemorySaver())
    call = {"name": "refund", "args": {"order": "7"}, "id": "call_1", "type": "tool_call"}
    agent.invoke({"messages": [AIMessage("", tool_calls=[call])]}, SESSION)

    with pytest.raises(ValueError, match="'reject'"):
        agent.invoke(Command(resume={"type": "reject"}), SESSION)

    assert tool_message(agent.invoke(Command(resume={"type": "accept"}), SESSION)).text == "refunded 10.0 for 7"


class Shout(BaseTool):
    name: str = "shout"
    description: str = "Say it loudly."

    def _run(self, text: str, runtime: ToolRuntime) -> str:
        return f"{text.upper()} {runtime.tool_call_id}"


@pytest.mark.parametrize(
    ("target", "args", "content"),
    [
        (Shout(), {"text": "hi"}, "HI call_1"),
        (Tool(name="echo", description="Echo.", func=lambda text: f"{text}!"), {"tool_input": "hi"}, "hi!"),
    ],
    ids=["a class of one's own", "a single-input tool"],
)
def test_other_kinds_of_tool_can_be_gated(target: BaseTool, args: dict[str, Any], content: str) -> None:
    agent = agent_that_calls(human_in_the_loop(target), args)

    assert paused_on(agent.invoke(HELLO, SESSION))["action_request"]["args"] == args
    assert tool_message(agent.invoke(Command(resume={"type": "accept"}), SESSION)).text == content


class Whisper(BaseTool):
    name: str = "whisper"
    description: str = "Say it quietly."

    def _run(self, text: str, config: RunnableConfig, run_manager: CallbackManagerForToolRun | None = None) -> str:
        assert run_manager is not None
        return f"{text} {config['configurable']['thread_id']} {type(run_manager).__name__}"


class AsyncWhisper(Whisper):
    async def _arun(
        self, text: str, config: RunnableConfig, run_manager: AsyncCallbackManagerForToolRun | None = None
    ) -> str:
        assert run_manager is not None
        return f"{text} {config['configurable']['thread_id']} {type(run_manager).__name__}"


def search(text: str, config: RunnableConfig) -> str:
    return f"{text} {config['configurable']['thread_id']}"


async def search_async(text: str, config: RunnableConfig) -> str:
    return f"{text} {config['configurable']['thread_id']} async"


SINGLE_INPUT = Tool(name="search", description="Search.", func=search, coroutine=search_async)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("target", "args"),
    [(Whisper(), {"text": "hi"}), (AsyncWhisper(), {"text": "hi"}), (SINGLE_INPUT, {"tool_input": "hi"})],
    ids=["a class with a sync run only", "a class with both", "a single-input tool"],
)
async def test_other_kinds_of_tool_get_their_config_and_callbacks(
    target: BaseTool, args: dict[str, Any], is_async: bool
) -> None:
    async def result_of(one: BaseTool, *steps: Any) -> str:
        agent = agent_that_calls(one, args)
        for step in steps:
            result = await agent.ainvoke(step, SESSION) if is_async else agent.invoke(step, SESSION)
        return tool_message(result).text

    accepted: Any = Command(resume={"type": "accept"})
    gated = human_in_the_loop_async(target) if is_async else human_in_the_loop(target)

    assert await result_of(gated, HELLO, accepted) == await result_of(target, HELLO)
    assert await result_of(effect(target), HELLO) == await result_of(target, HELLO)


def stacked(*decorators: Any) -> tuple[BaseTool, list[float]]:
    paid: list[float] = []

    def pay(amount: float, runtime: ToolRuntime) -> str:
        """Pay an amount."""
        paid.append(amount)
        return f"paid {amount} by {runtime.tool_call_id}"

    made: Any = pay
    for decorate in decorators:
        made = decorate(made)
    return made, paid


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("order", ["review of an effect", "effect of a review"])
async def test_a_review_and_an_effect_go_together(order: str, is_async: bool) -> None:
    review = human_in_the_loop_async if is_async else human_in_the_loop
    decorators = [effect(repeatable=True), review] if order == "review of an effect" else [review, effect]
    gated, paid = stacked(*decorators)
    agent = agent_that_calls(gated, {"amount": 5})

    async def go(step: Any) -> Any:
        return await agent.ainvoke(step, SESSION) if is_async else agent.invoke(step, SESSION)

    assert paused_on(await go(HELLO))["action_request"] == {"action": "pay", "args": {"amount": 5}}
    with pytest.raises(ValueError, match="amount"):
        await go(Command(resume={"type": "edit", "args": {"amount": "much"}}))
    done = await go(Command(resume={"type": "edit", "args": {"amount": 3}}))

    assert (paid, tool_message(done).text) == ([3], "paid 3.0 by call_1")
    assert gated.metadata == {REPEATABLE: order == "review of an effect"}


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_two_reviews_of_one_tool_ask_one_after_the_other(is_async: bool) -> None:
    review = human_in_the_loop_async if is_async else human_in_the_loop
    gated, paid = stacked(review, review)
    agent = agent_that_calls(gated, {"amount": 5})

    async def go(step: Any) -> Any:
        return await agent.ainvoke(step, SESSION) if is_async else agent.invoke(step, SESSION)

    await go(HELLO)
    second = paused_on(await go(Command(resume={"type": "edit", "args": {"amount": 4}})))
    assert (second["action_request"]["args"], paid) == ({"amount": 4}, [])
    await go(Command(resume={"type": "accept"}))

    assert paid == [4]


def test_a_tool_that_could_never_run_behind_its_gate_is_refused_when_it_is_decorated() -> None:
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return "paid"

    with pytest.raises(Misconfigured, match="'pay' is async only"):
        human_in_the_loop(effect(pay))
    with pytest.raises(Misconfigured, match="'pay' is async only"):
        human_in_the_loop(human_in_the_loop_async(pay))
    with pytest.raises(Misconfigured, match="'refund' is sync only"):
        human_in_the_loop_async(refund)


def test_a_call_that_the_tool_would_refuse_goes_back_to_the_model_and_nobody_is_asked() -> None:
    agent = agent_that_calls(refund, {"amount": 3})

    result = agent.invoke(HELLO, SESSION)

    assert "__interrupt__" not in result
    assert tool_message(result).status == "error"


def test_a_tool_that_handles_its_own_errors_still_does() -> None:
    @tool
    def fragile(depth: int) -> str:
        """Dig."""
        raise ToolException("hit rock")

    fragile.handle_tool_error, fragile.handle_validation_error = True, "dig deeper"
    agent = agent_that_calls(human_in_the_loop(fragile), {"depth": 1})
    agent.invoke(HELLO, SESSION)

    with pytest.raises(ValueError, match="'reject'"):
        agent.invoke(Command(resume={"type": "reject"}), SESSION)
    message = tool_message(agent.invoke(Command(resume={"type": "accept"}), SESSION))
    assert (message.text, message.status) == ("hit rock", "error")

    agent = agent_that_calls(human_in_the_loop(fragile), {"depth": "deep"})
    assert tool_message(agent.invoke(HELLO, SESSION)).text == "dig deeper"


def test_the_function_of_a_gated_tool_cannot_be_called_around_the_gate() -> None:
    with pytest.raises(Misconfigured, match="Invoke the tool"):
        refund.func("12345")  # type: ignore[attr-defined]  # what a curious caller would try
