"""What a developer writes about each agent, and the checks of it, all made before the first conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langchain_core.tools import BaseTool

from handraise.agents.gate.rules import InterruptOn
from handraise.agents.handoffs.gate import AgentGate
from handraise.agents.handoffs.roster import Roster, RosterAgent
from handraise.agents.handoffs.toolbox import Toolbox
from handraise.core.errors import Misconfigured
from handraise.core.policy import is_glob


class AgentConfig(TypedDict):
    """One agent of a conversation: its prompt, whom it may hand to, and what it may call."""

    prompt: str | SystemMessage
    handoffs: Sequence[str] | Literal["all"]
    """The agents that it may hand to; `"all"` means every other one."""
    model: NotRequired[str | BaseChatModel]
    """A model, or a string for `init_chat_model`; without it, the model that `create_agent` was given."""
    tools: NotRequired[Sequence[BaseTool | Callable[..., Any] | dict[str, Any]] | None]
    default: NotRequired[bool]
    """Whether it speaks first. Exactly one agent does."""
    interrupt_on: NotRequired[InterruptOn | None]
    """The calls that wait for a person while this agent is active, one pause for each."""


def read_roster(
    configs: Mapping[str, AgentConfig],
    *,
    descriptions: Mapping[str, str],
    overrides: Mapping[str, BaseTool],
) -> Roster:
    """Check `configs` and return the agents they describe, or raise an error that names the agent and the fix."""
    if not configs:
        raise Misconfigured("agents_config is empty.", fix='Add an agent, with "default": True.')
    for name, config in configs.items():
        _check_fields(name, config)
    _check_known("custom_handoffs_tool_descriptions", descriptions, configs)
    _check_known("handoffs_tool_overrides", overrides, configs)
    default = _only_default(configs)
    receivers = {name: _receivers(name, config["handoffs"], configs) for name, config in configs.items()}

    toolbox = Toolbox(descriptions=descriptions, overrides=overrides)
    models: dict[str, BaseChatModel] = {}
    agents: dict[str, RosterAgent] = {}
    for name, config in configs.items():
        agents[name] = RosterAgent(
            name=name,
            prompt=_system_message(config["prompt"]),
            model=_load_model(name, config.get("model"), models),
            handoff_tools={receiver: toolbox.handoff_to(receiver) for receiver in receivers[name]},
            tools=toolbox.admit(name, config.get("tools") or ()),
            provider_tools=tuple(given for given in config.get("tools") or () if isinstance(given, dict)),
            gate=_gate(name, config.get("interrupt_on") or {}),
        )
        _check_rules(agents[name], config.get("interrupt_on") or {})
    return Roster(agents=agents, default=agents[default], receivers=toolbox.receivers)


def _check_fields(name: str, config: AgentConfig) -> None:
    for key in config:
        if key not in AgentConfig.__annotations__:
            raise Misconfigured(
                f"Agent {name!r} has an unknown field {key!r}.",
                fix=f"Use one of: {', '.join(AgentConfig.__annotations__)}.",
            )
    for key in ("prompt", "handoffs"):
        if key not in config:
            raise Misconfigured(
                f"Agent {name!r} has no {key!r}.", fix='Add it; an agent that hands to nobody has "handoffs": [].'
            )
    if not isinstance(config["prompt"], str | SystemMessage):
        raise Misconfigured(
            f"The prompt of agent {name!r} is {config['prompt']!r}.", fix="Give a string or a SystemMessage."
        )


def _check_known(parameter: str, given: Mapping[str, object], configs: Mapping[str, AgentConfig]) -> None:
    for name in given:
        if name not in configs:
            raise Misconfigured(
                f"{parameter} names agent {name!r}, which agents_config does not have.",
                fix=f"Use one of: {', '.join(configs)}.",
            )


def _only_default(configs: Mapping[str, AgentConfig]) -> str:
    defaults = [name for name, config in configs.items() if config.get("default")]
    if len(defaults) == 1:
        return defaults[0]
    if not defaults:
        raise Misconfigured(
            f"No agent is the default among: {', '.join(configs)}.",
            fix='Set "default": True on the agent that speaks first.',
        )
    raise Misconfigured(
        f"{len(defaults)} agents are the default: {', '.join(defaults)}.",
        fix=f'Keep "default": True on one of them, for example {defaults[0]!r}.',
    )


def _receivers(name: str, handoffs: Sequence[str] | None, configs: Mapping[str, AgentConfig]) -> list[str]:
    if handoffs == "all":
        return [other for other in configs if other != name]
    if isinstance(handoffs, str):
        raise Misconfigured(
            f'Agent {name!r} has "handoffs": {handoffs!r}.',
            fix=f'Write ["{handoffs}"], or "all" for every other agent.',
        )
    if not isinstance(handoffs, Iterable):
        raise Misconfigured(
            f'Agent {name!r} has "handoffs": {handoffs!r}.',
            fix='Write [] for an agent that hands to nobody, or "all" for every other agent.',
        )
    for receiver in handoffs:
        if receiver == name:
            raise Misconfigured(f"Agent {name!r} hands to itself.", fix=f"Remove {name!r} from its handoffs.")
        if receiver not in configs:
            raise Misconfigured(
                f"Agent {name!r} hands to {receiver!r}, which agents_config does not have.",
                fix=f"Use one of: {', '.join(other for other in configs if other != name)}.",
            )
    return list(dict.fromkeys(handoffs))


def _system_message(prompt: str | SystemMessage) -> SystemMessage:
    return prompt if isinstance(prompt, SystemMessage) else SystemMessage(prompt)


def _load_model(name: str, given: str | BaseChatModel | None, loaded: dict[str, BaseChatModel]) -> BaseChatModel | None:
    """Return the model of agent `name`. Agents that name the same string share what was loaded for it."""
    if given is None or isinstance(given, BaseChatModel):
        return given
    if not isinstance(given, str):
        raise Misconfigured(
            f"The model of agent {name!r} is {given!r}.", fix='Give a chat model or a string such as "openai:gpt-5".'
        )
    if given not in loaded:
        try:
            loaded[given] = init_chat_model(given)
        except Exception as error:
            error.add_note(f"This is the model of agent {name!r}: {given!r}.")
            raise
    return loaded[given]


def _gate(name: str, rules: InterruptOn) -> AgentGate:
    try:
        return AgentGate(rules)
    except ValueError as error:
        raise Misconfigured(f"interrupt_on of agent {name!r} cannot work.", fix=str(error)) from error


def _check_rules(agent: RosterAgent, rules: InterruptOn) -> None:
    for key in rules:
        if not is_glob(key) and key not in agent.runnable:
            raise Misconfigured(
                f"interrupt_on of agent {agent.name!r} names {key!r}, which that agent cannot call.",
                fix=f"Use one of: {', '.join(sorted(agent.runnable))}.",
            )
