"""Decorators: a person reviews a tool's calls before they run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, assert_never, overload

from langchain_core.tools import BaseTool

from handraise.agents.pausing import pause
from handraise.agents.tools.answers import ANSWER_SCHEMA, ReviewAnswer, read_review
from handraise.agents.tools.gated import AsyncHandler, GatedTool, Handler, InterruptParams, gate
from handraise.core.errors import Misconfigured

__all__ = ["InterruptParams", "human_in_the_loop", "human_in_the_loop_async"]

IGNORED = "The reviewer set this call aside, so it was not executed."

Target = Callable[..., Any] | BaseTool


@overload
def human_in_the_loop(func: Target, /) -> BaseTool: ...
@overload
def human_in_the_loop(*, handler: Handler | None = None) -> Callable[[Target], BaseTool]: ...
def human_in_the_loop(
    func: Target | None = None, /, *, handler: Handler | None = None
) -> BaseTool | Callable[[Target], BaseTool]:
    """Put a function or tool behind a review. The result is a tool of the same name, description and schema.

    Without a `handler`, a person may accept the call, edit its arguments, or respond in its place. A handler pauses by
    LangGraph's `interrupt` itself, and runs the call through `params["tool"]`.
    """

    def decorate(target: Target) -> GatedTool:
        if handler is not None and iscoroutinefunction(handler):
            raise Misconfigured(
                f"The handler {_name(handler)!r} is async, and human_in_the_loop calls it without waiting.",
                fix="Use human_in_the_loop_async.",
            )
        gated = gate(target, handler=handler or _review, async_handler=None)
        if gated.gated.func is None:
            raise Misconfigured(f"The tool {gated.name!r} is async only.", fix="Use human_in_the_loop_async.")
        if handler is None and gated.gated.coroutine:
            return gate(target, handler=_review, async_handler=_review_async)
        return gated

    return decorate if func is None else decorate(func)


@overload
def human_in_the_loop_async(func: Target, /) -> BaseTool: ...
@overload
def human_in_the_loop_async(*, handler: AsyncHandler | Handler | None = None) -> Callable[[Target], BaseTool]: ...
def human_in_the_loop_async(
    func: Target | None = None, /, *, handler: AsyncHandler | Handler | None = None
) -> BaseTool | Callable[[Target], BaseTool]:
    """Put an async function or tool behind a review: `human_in_the_loop` for `ainvoke` and `astream`."""

    def decorate(target: Target) -> GatedTool:
        if isinstance(target, GatedTool) and target.async_handler is None:
            raise Misconfigured(f"The tool {target.name!r} is sync only.", fix="Use human_in_the_loop.")
        return gate(target, handler=None, async_handler=handler or _review_async)

    return decorate if func is None else decorate(func)


def _review(params: InterruptParams) -> Any:
    answer = _ask(params)
    args = _args_to_run(answer, params)
    return _instead(answer) if args is None else params["tool"].invoke(args)


async def _review_async(params: InterruptParams) -> Any:
    answer = _ask(params)
    args = _args_to_run(answer, params)
    return _instead(answer) if args is None else await params["tool"].ainvoke(args)


def _ask(params: InterruptParams) -> ReviewAnswer:
    request = {
        "action_request": {"action": params["tool_call_name"], "args": params["tool_call_args"]},
        "config": {"allow_accept": True, "allow_edit": True, "allow_respond": True},
        "description": f"Please review tool call: {params['tool_call_name']}",
    }
    return pause(request, read=partial(read_review, tool=params["tool"]), answer_schema=ANSWER_SCHEMA)


def _args_to_run(answer: ReviewAnswer, params: InterruptParams) -> dict[str, Any] | None:
    """Return the arguments to run with, or None when the tool is not to run."""
    match answer.type:
        case "accept":
            return params["tool_call_args"]
        case "edit":
            return dict(answer.args)
        case "response" | "ignore":
            return None
        case _ as never:
            assert_never(never)


def _instead(answer: ReviewAnswer) -> Any:
    return answer.args if answer.type == "response" else IGNORED


def _name(handler: Callable[..., Any]) -> str:
    return getattr(handler, "__name__", type(handler).__name__)
