"""How create_agent finds the hooks of a middleware, and how often it looks at them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage

from handraise.agents.upstream.hooks import HidesHooks, quick_to_inspect
from handraise.testing.scripted_model import ScriptedModel

HELLO: Any = {"messages": [("user", "Hello")]}


class Watching(HidesHooks, AgentMiddleware[Any, Any, Any]):
    """A middleware that can do without the step before the model."""

    def __init__(self, *, hiding: bool) -> None:
        super().__init__()
        self.asked = 0
        if hiding:
            self.hidden_hooks = frozenset({"before_model"})

    def before_model(self, state: Any, runtime: Any) -> None:
        self.asked += 1

    def after_model(self, state: Any, runtime: Any) -> None:
        self.asked += 1

    @quick_to_inspect
    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(request)


def agent_with(middleware: Any) -> Any:
    return create_agent(ScriptedModel.replaying(AIMessage("Hi.")), [], middleware=[middleware])


@pytest.mark.parametrize("hiding", [False, True])
def test_create_agent_adds_a_step_for_each_hook_that_it_sees(hiding: bool) -> None:
    watching = Watching(hiding=hiding)
    agent = agent_with(watching)
    agent.invoke(HELLO)

    hidden = set() if hiding else {"Watching.before_model"}
    steps = {"__start__", "model", "Watching.after_model", *hidden}
    assert set(agent.nodes) == steps, "hooks are looked for, or steps named, otherwise: per_call gates cost a step"
    assert watching.asked == len(steps) - 2


def test_hiding_a_hook_changes_neither_the_type_nor_the_name() -> None:
    hiding = Watching(hiding=True)

    assert type(hiding) is Watching
    assert isinstance(hiding, Watching)
    assert issubclass(hiding.__class__, Watching)
    assert (hiding.name, hiding.__class__.__qualname__) == ("Watching", "Watching"), "paused threads lose their place"


def test_a_hook_brings_its_signature_along() -> None:
    hook = Watching(hiding=False).wrap_model_call

    assert inspect.signature(hook) is inspect.signature(hook), "tracing works a signature out in every call"
    assert [*inspect.signature(hook).parameters] == ["request", "handler"]
    assert hook("request", str.upper) == "REQUEST"
    assert Watching.wrap_model_call is not AgentMiddleware.wrap_model_call, "create_agent does not see the hook"


def test_a_hook_of_a_subclass_may_call_the_one_above() -> None:
    class Louder(Watching):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            return super().wrap_model_call(request, handler) + "!"

    louder = Louder(hiding=False)

    assert [louder.wrap_model_call("a", str.upper) for _ in range(2)] == ["A!", "A!"]
