"""Gated tools: a tool behind a person. The gate shows the call, and runs it only as its handler says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from inspect import isawaitable
from typing import Any, NoReturn, TypedDict, cast

from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.errors import is_invalid_resume
from pydantic import Field, ValidationError
from pydantic_core import to_jsonable_python

from handraise.agents.run_once.once import arun_once, effect_call, run_once
from handraise.agents.tools.structured import settings_of, structured
from handraise.agents.upstream.tools import (
    Arguments,
    ReadsItsCall,
    async_body_of,
    body_of,
    extras_for,
    read_as,
    read_as_any_tool,
    without_injected,
)
from handraise.core.effects.ledger import EffectCall
from handraise.core.errors import Misconfigured, NotRunAgain


class InterruptParams(TypedDict):
    """What a handler gets. `tool` runs the call; what LangChain injects into it is supplied there, and not shown."""

    tool_call_name: str
    tool_call_args: dict[str, Any]
    tool: BaseTool


Handler = Callable[[InterruptParams], Any]
AsyncHandler = Callable[[InterruptParams], Awaitable[Any]]


class SuppliedTool(ReadsItsCall, StructuredTool):
    """The tool behind a gate, for one call: it takes the arguments that people see, and adds the injected ones."""

    gated: StructuredTool
    injected: dict[str, Any]
    call_id: str | None
    shown: dict[str, Any] = Field(default_factory=dict)
    artifact: Any = None

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        self.shown = _by_name(given, tool=self)
        return read_as(self.gated, {**self.shown, **self.injected}, call_id or self.call_id)

    def _run(
        self, *args: Any, config: RunnableConfig, run_manager: CallbackManagerForToolRun | None = None, **kwargs: Any
    ) -> Any:
        gated = body_of(self.gated)
        run = partial(gated, *args, **kwargs, **extras_for(gated, config, run_manager))
        try:
            return self._keeping_artifact(run_once(self._effect(), run))
        except NotRunAgain as why:
            return self._keeping_artifact(str(why))

    async def _arun(
        self,
        *args: Any,
        config: RunnableConfig,
        run_manager: AsyncCallbackManagerForToolRun | None = None,
        **kwargs: Any,
    ) -> Any:
        gated = async_body_of(self.gated)
        run = partial(gated, *args, **kwargs, **extras_for(gated, config, run_manager))
        try:
            return self._keeping_artifact(await arun_once(self._effect(), run))
        except NotRunAgain as why:
            return self._keeping_artifact(str(why))

    def _effect(self) -> EffectCall | None:
        if isinstance(self.gated, GatedTool):
            return None  # the gate inside records what it really runs
        args = to_jsonable_python(self.shown, fallback=str)
        return effect_call(tool=self.name, args=args, tool_call_id=self.call_id, metadata=self.metadata)

    def _keeping_artifact(self, response: Any) -> Any:
        # A tool that is invoked without a call id returns its content alone; the gate adds the artifact again.
        if self.response_format == "content_and_artifact":
            if not isinstance(response, tuple):
                return response, None
            self.artifact = response[1]
        return response


class GatedTool(ReadsItsCall, StructuredTool):
    """A tool of the same name, description and schema, whose handler decides whether and how the real one runs."""

    gated: StructuredTool
    handler: Handler | None
    async_handler: AsyncHandler | Handler | None

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        named = _by_name(given, tool=self)
        # A call that the tool would refuse goes back to the model; nobody is asked about it.
        read_as_any_tool(self, dict(named), call_id)
        shown = without_injected(self, named)
        supplied = SuppliedTool(
            # Errors of the tool pass through the handler to the gate, which treats them as the tool would have.
            **{**settings_of(self.gated), "handle_tool_error": False, "handle_validation_error": False},
            func=self.gated.func,
            coroutine=self.gated.coroutine,
            gated=self.gated,
            injected={name: value for name, value in named.items() if name not in shown},
            call_id=call_id,
        )
        params: InterruptParams = {
            "tool_call_name": self.name,
            "tool_call_args": to_jsonable_python(shown, fallback=str),
            "tool": supplied,
        }
        return (), {"params": params}

    def _run(self, *, params: InterruptParams) -> Any:  # type: ignore[override]  # its only caller is run()
        if self.handler is None:
            raise NotImplementedError(f"{self.name!r} is gated for async use only. Call the agent with `ainvoke`.")
        return self._result(self.handler(params), params)

    async def _arun(self, *, params: InterruptParams) -> Any:  # type: ignore[override]  # its only caller is arun()
        if self.async_handler is None:
            raise NotImplementedError(f"{self.name!r} is gated for sync use only. Call the agent with `invoke`.")
        result = self.async_handler(params)
        return self._result(await result if isawaitable(result) else result, params)

    def _result(self, content: Any, params: InterruptParams) -> Any:
        if self.response_format == "content_and_artifact":
            return content, cast("SuppliedTool", params["tool"]).artifact
        return content


def gate(
    target: Callable[..., Any] | BaseTool, *, handler: Handler | None, async_handler: AsyncHandler | Handler | None
) -> GatedTool:
    """Return `target` behind the handlers. Without one for a way of calling, the tool cannot be called that way."""
    gated = structured(target)
    settings = settings_of(gated)
    if flag := gated.handle_validation_error:
        settings["handle_validation_error"] = lambda error: _refused_arguments(error, flag=flag)
    original = gated.func or gated.coroutine
    # LangChain reads the signature to know what to inject; it never calls these.
    signature = _signature_of(original, name=gated.name) if original else None
    return GatedTool(
        **settings,
        func=signature if handler else None,
        coroutine=signature if async_handler else None,
        gated=gated,
        handler=handler,
        async_handler=async_handler,
    )


def _signature_of(original: Callable[..., Any], *, name: str) -> Callable[..., Any]:
    @wraps(original)
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise Misconfigured(
            f"The function of the gated tool {name!r} was called directly.", fix="Invoke the tool, so that it can ask."
        )

    return refuse


def _by_name(given: str | dict[str, Any], *, tool: BaseTool) -> dict[str, Any]:
    return {next(iter(tool.args), "input"): given} if isinstance(given, str) else given


def _refused_arguments(error: Any, *, flag: bool | str | Callable[[Any], str]) -> str:
    """Treat invalid arguments as the tool's author chose, but never an invalid answer: that one can be given again."""
    if isinstance(error, ValidationError) and is_invalid_resume(error):
        raise error
    if callable(flag):
        return flag(error)
    return flag if isinstance(flag, str) else "Tool input validation error"
