"""Four agents on one conversation. Runs offline: the models follow a script, where yours would be "openai:gpt-5"."""

from collections.abc import Sequence

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import AgentConfig, HandoffAgentMiddleware
from handraise.testing import ScriptedModel


def get_current_time() -> str:
    """Tell the time."""
    return "It is 12:00."


def get_current_weather() -> str:
    """Tell the weather."""
    return "It is sunny."


def run_code() -> str:
    """Run the customer's code."""
    return "Your code printed 42."


def model(otherwise: str | None = None, /, **tools: str) -> ScriptedModel:
    """Return a model that calls a tool when it hears the tool's word, and repeats what the tool said."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], ToolMessage) and not messages[-1].text.startswith("Transferred"):
            return AIMessage(messages[-1].text)
        question = next(message.text for message in reversed(messages) if isinstance(message, HumanMessage))
        tool = next((tool for word, tool in tools.items() if word in question), otherwise)
        if tool is None:
            return AIMessage("Ask me about the time, the weather or code.")
        return AIMessage("", tool_calls=[ToolCall(name=tool, args={}, id=f"call-{len(messages)}")])

    return ScriptedModel(script=script)


agent_config: dict[str, AgentConfig] = {
    "time_agent": {
        "model": model("transfer_to_default_agent", time="get_current_time"),
        "prompt": "You tell the time.",
        "tools": [get_current_time],
        "handoffs": ["default_agent"],
    },
    "weather_agent": {
        "model": model("transfer_to_default_agent", weather="get_current_weather"),
        "prompt": "You tell the weather.",
        "tools": [get_current_weather],
        "handoffs": ["default_agent"],
    },
    "code_agent": {
        "model": model("transfer_to_default_agent", code="run_code"),
        "prompt": "You run code.",
        "tools": [run_code],
        "handoffs": ["default_agent"],
        "interrupt_on": {"run_code": True},
    },
    "default_agent": {"prompt": "You send the customer to the right agent.", "default": True, "handoffs": "all"},
}
default_model = model(time="transfer_to_time_agent", weather="transfer_to_weather_agent", code="transfer_to_code_agent")
handoffs = HandoffAgentMiddleware(agent_config, handoff_budget=4)
agent = create_agent(default_model, middleware=[handoffs], checkpointer=InMemorySaver())

if __name__ == "__main__":
    session = {"configurable": {"thread_id": "example"}}
    for question in ("hello", "what is the time?", "and the weather?", "please run my code"):
        said = agent.invoke({"messages": [HumanMessage(question)]}, session)
        if "__interrupt__" in said:
            print(f"(a person approves {said['__interrupt__'][0].value['name']})")
            said = agent.invoke(Command(resume={"type": "approve"}), session)
        print(f"{question} -> {said['active_agent']}: {said['messages'][-1].text}")
