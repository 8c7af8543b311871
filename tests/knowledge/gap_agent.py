"""An agent with a gap in its knowledge: it looks up what the team knows, asks a person about it, and then answers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from handraise import ask_human_agent, knowledge_search
from handraise.testing import ScriptedModel


def reply(messages: Sequence[BaseMessage]) -> AIMessage:
    """Follow the scenario by what was said last."""
    last = messages[-1]
    asked = next(message.text for message in reversed(messages) if isinstance(message, HumanMessage))
    if isinstance(last, HumanMessage):
        return _calling("knowledge_search", {"query": asked}, len(messages))
    if isinstance(last, ToolMessage) and last.name == "knowledge_search":
        passages = json.loads(last.text)["passages"]
        if passages:
            return AIMessage(f"[{passages[0]['id']}] {passages[0]['answer']}")
        question: dict[str, object] = {
            "question": f"用户咨询：{asked}，知识库无相关内容，请提供信息",
            "question_type": "knowledge_gap",
            "context": {"user_question": asked},
        }
        return _calling("ask_human_agent", question, len(messages))
    return AIMessage(f"客服说：{json.loads(last.text)['response']}")


def _calling(tool: str, args: dict[str, object], turn: int) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": args, "id": f"call-{turn}"}])


agent = create_agent(ScriptedModel(script=reply), [knowledge_search, ask_human_agent])
