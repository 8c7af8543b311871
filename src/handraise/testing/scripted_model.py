"""A chat model that follows a script: no key, no network, the same answer every time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

Script = Callable[[Sequence[BaseMessage]], AIMessage]

_PIECES = re.compile(
    r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]\s*|[^\s\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+\s*|\s+"
)
"""How a text is streamed: word by word, and where words have no spaces between them, character by character."""


class ScriptedModel(BaseChatModel):
    """Answers by a function of the conversation. It keeps no state, so a resumed run gets the same answer."""

    script: Script

    @classmethod
    def replaying(cls, *replies: AIMessage) -> ScriptedModel:
        """Return a model whose n-th answer in a conversation is `replies[n]`; the last one repeats."""

        def script(messages: Sequence[BaseMessage]) -> AIMessage:
            said = sum(isinstance(message, AIMessage) for message in messages)
            return replies[min(said, len(replies) - 1)]

        return cls(script=script)

    @classmethod
    def calling(cls, tool: str, **args: Any) -> ScriptedModel:
        """Return a model that calls one tool, and then says what the tool returned."""

        def script(messages: Sequence[BaseMessage]) -> AIMessage:
            if isinstance(messages[-1], ToolMessage):
                return AIMessage(messages[-1].text)
            return AIMessage("", tool_calls=[{"name": tool, "args": args, "id": f"call_{len(messages)}"}])

        return cls(script=script)

    @property
    def _llm_type(self) -> str:
        return "handraise-scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(**kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.script(messages).model_copy())])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        reply = self.script(messages)
        for piece in _PIECES.findall(reply.text):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
            if run_manager:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk
        calls: list[ToolCallChunk] = [
            tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index)
            for index, call in enumerate(reply.tool_calls)
        ]
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=calls, chunk_position="last"))
