"""Each name behind the door is still there, in the shape that we use. A failure says what stops working for us.

This file does not import the door: it must be readable when the door itself no longer loads.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.unpromised import unpromised

DOOR = Path(__file__).parents[3] / "src" / "handraise" / "agents" / "upstream"

GATE = "langchain.agents.middleware.human_in_the_loop"
STOCK_GATE = f"{GATE}:HumanInTheLoopMiddleware"
TOOL = "langchain_core.tools.base"
CONSTANTS = "langgraph._internal._constants"
SCRATCHPAD = "langgraph._internal._scratchpad:PregelScratchpad"


class Promise(NamedTuple):
    """A name that upstream never promised, what it must take or be, and what breaks for us without it."""

    holder: str
    name: str
    is_like: list[str] | str | tuple[str, ...] | None
    """The names of a function's parameters, a constant's value, or None where only its being there counts."""
    breaks: str


PROMISES = [
    Promise(GATE, "_EDIT_NOTICE", None, "edited results no longer begin with LangChain's words"),
    Promise(GATE, "_EDITED_TOOL_CALLS_KEY", "hitl_edited_tool_calls", "sessions lose their edits"),
    Promise(GATE, "_decision_schema", ["allowed", "name", "tool"], "answers are not checked as LangChain checks them"),
    Promise("langchain.agents.middleware.types", "PrivateStateAttr", None, "clients are shown a gate's own records"),
    Promise(
        STOCK_GATE,
        "_should_interrupt",
        ["self", "tool_call", "config", "state", "runtime"],
        "a batched gate cannot ask `when`",
    ),
    Promise(
        STOCK_GATE,
        "_create_action_and_config",
        ["self", "tool_call", "config", "state", "runtime"],
        "a batched gate cannot ask",
    ),
    Promise(STOCK_GATE, "_tool_approval_request", ["self", "request", "config"], "a per_call gate cannot ask"),
    Promise(
        STOCK_GATE, "_process_decision", ["decision", "tool_call", "config"], "rejections have no words for the model"
    ),
    Promise(STOCK_GATE, "_apply_edit", ["self", "request", "executed"], "an edited call runs as the model wrote it"),
    Promise(
        STOCK_GATE,
        "_annotate_edited_result",
        ["self", "result", "request", "executed"],
        "the model is not told of an edit",
    ),
    Promise(CONSTANTS, "CONFIG_KEY_SCRATCHPAD", "__pregel_scratchpad", "a resumed gate finds no answer"),
    Promise(CONSTANTS, "CONFIG_KEY_SEND", "__pregel_send", "answers that a gate took are not saved"),
    Promise(CONSTANTS, "RESUME", "__resume__", "answers that a gate took are saved where nobody reads them"),
    Promise(CONSTANTS, "INTERRUPT", "__interrupt__", "a gate does not know what it had asked, and asks `when` again"),
    Promise(CONSTANTS, "CONFIG_KEY_CHECKPOINTER", "__pregel_checkpointer", "every gated call is refused"),
    Promise(CONSTANTS, "CONFIG_KEY_RESUMING", "__pregel_resuming", "a resumed gate rules anew"),
    Promise(CONSTANTS, "PULL", "__pregel_pull", "answers to calls of one task may be mixed up"),
    Promise(SCRATCHPAD, "resume", None, "a resumed gate finds no answer"),
    Promise(SCRATCHPAD, "get_null_resume", None, "`Command(resume=...)` without an id answers nothing"),
    Promise(SCRATCHPAD, "interrupt_counter", None, "the second question of a task gets the first one's answer"),
    Promise(
        "langgraph.types:Interrupt",
        "from_ns",
        ["value", "ns", "response_schema"],
        "a gate takes questions of agents inside a tool for its own",
    ),
    Promise("langgraph.errors", "_mark_invalid_resume", ["error"], "a refused answer is shown to the model"),
    Promise(
        "langgraph.prebuilt.tool_node", "_get_all_injected_args", ["tool"], "sealed tools refuse what LangGraph injects"
    ),
    Promise(TOOL, "FILTERED_ARGS", ("run_manager", "callbacks"), "models are asked to write a tool's callbacks"),
    Promise(TOOL, "_get_runnable_config_param", ["func"], "gated tools run without their config"),
    Promise(TOOL, "create_schema_from_function", None, "models are asked to write a tool's config"),
    Promise(
        f"{TOOL}:BaseTool", "_to_args_and_kwargs", ["self", "tool_input", "tool_call_id"], "gated tools ask nobody"
    ),
    Promise(f"{TOOL}:BaseTool", "_filter_injected_args", ["self", "tool_input"], "people are shown injected arguments"),
    Promise(f"{TOOL}:BaseTool", "_run", None, "gated tools cannot run what they gate"),
    Promise(f"{TOOL}:BaseTool", "_arun", None, "gated tools cannot run what they gate in async code"),
]


METADATA = {"langgraph_path", "langgraph_checkpoint_ns", "lc_agent_name"}
"""Keys that stand in no constant upstream; `test_tasks.py` runs tasks that read them."""


def fault_of(promise: Promise) -> str | None:
    """Say in one line what upstream changed and what that breaks, or return None."""
    module, _, cls = promise.holder.partition(":")
    try:
        holder: Any = importlib.import_module(module)
    except ImportError:
        return f"{module} is gone, so {promise.breaks}."
    if cls:
        holder = getattr(holder, cls, None)
    there = hasattr(holder, promise.name) or promise.name in getattr(holder, "__dataclass_fields__", ())
    if not there:
        return f"{promise.holder} has no {promise.name} any more, so {promise.breaks}."
    found = getattr(holder, promise.name, None)
    if isinstance(promise.is_like, list):
        found = [*inspect.signature(found).parameters]  # type: ignore[arg-type]  # a name that is no function fails too
    if promise.is_like is not None and found != promise.is_like:
        return f"{promise.holder} has another {promise.name} ({found!r}, not {promise.is_like!r}), so {promise.breaks}."
    return None


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.name)
def test_upstream_still_has(promise: Promise) -> None:
    fault = fault_of(promise)

    assert fault is None, fault


@pytest.mark.parametrize(
    "broken",
    [
        Promise("langgraph.gone", "x", None, "it breaks"),
        Promise(GATE, "_GONE", None, "it breaks"),
        Promise(GATE, "_EDITED_TOOL_CALLS_KEY", "another", "it breaks"),
        Promise(GATE, "_decision_schema", ["other"], "it breaks"),
    ],
    ids=["module", "name", "value", "parameters"],
)
def test_a_broken_promise_is_told_in_one_line(broken: Promise) -> None:
    fault = fault_of(broken)

    assert fault is not None
    assert fault.endswith("so it breaks.")
    assert "\n" not in fault


@pytest.mark.parametrize("file", sorted(DOOR.glob("*.py")), ids=lambda path: path.name)
def test_no_name_stands_behind_the_door_without_a_contract(file: Path) -> None:
    known = {promise.name for promise in PROMISES} | {str(promise.is_like) for promise in PROMISES} | METADATA

    assert {name.rpartition(".")[2] for name in unpromised(file.read_text())} <= known
