"""A handler of one's own, async: shared by every tool that should ask in the same way."""

import asyncio
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from handraise import InterruptParams, human_in_the_loop_async
from handraise.testing import ScriptedModel


async def yes_or_no(params: InterruptParams) -> Any:
    """Run the call when the answer is yes; tell the agent otherwise."""
    answer = interrupt(f"May I call {params['tool_call_name']} with {params['tool_call_args']}?")
    if answer == "yes":
        return await params["tool"].ainvoke(params["tool_call_args"])
    return f"The reviewer said: {answer}"


@human_in_the_loop_async(handler=yes_or_no)
async def get_weather(city: str) -> str:
    """Tell the weather."""
    return f"It is sunny in {city}."


async def main() -> None:
    """Ask twice: once to be allowed, once to be told no."""
    model = ScriptedModel.replaying(
        AIMessage("", tool_calls=[ToolCall(name="get_weather", args={"city": "Beijing"}, id="call_1")]),
        AIMessage("That is the weather."),
    )
    agent = create_agent(model, [get_weather], checkpointer=InMemorySaver())
    for answer in ("yes", "not today"):
        session = {"configurable": {"thread_id": answer}}
        paused = await agent.ainvoke({"messages": [("user", "How is the weather?")]}, session)
        print(paused["__interrupt__"][0].value)
        done = await agent.ainvoke(Command(resume=answer), session)
        print("->", done["messages"][-2].text)


asyncio.run(main())
