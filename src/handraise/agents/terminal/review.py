"""Reviewing in the terminal: run any agent and answer what it asks, without a server."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from rich.console import Console

from handraise.agents.reviewing.driving import Agent, arun_reviewed, run_reviewed
from handraise.agents.terminal.reviewer import TerminalReviewer
from handraise.agents.terminal.texts import WORDS
from handraise.core.errors import InvalidInput
from handraise.core.languages import Language


def review_in_terminal(
    agent: Agent,
    input: Any,
    config: RunnableConfig | None = None,
    *,
    language: Language = "en",
    console: Console | None = None,
) -> Any:
    """Run the agent to its end, asking the person at the terminal on the way; return its final state.

    A session that was already paused is answered first. Without a `thread_id` in `config` a new session begins.
    """
    return run_reviewed(agent, input, config, person=_reviewer(language, console))


async def areview_in_terminal(
    agent: Agent,
    input: Any,
    config: RunnableConfig | None = None,
    *,
    language: Language = "en",
    console: Console | None = None,
) -> Any:
    """`review_in_terminal` for agents with async tools. While the person thinks, the event loop waits too."""
    return await arun_reviewed(agent, input, config, person=_reviewer(language, console))


def _reviewer(language: Language, console: Console | None) -> TerminalReviewer:
    if language not in WORDS:
        raise InvalidInput(f"The terminal does not speak {language!r}.", fix=f"Use one of: {', '.join(WORDS)}.")
    return TerminalReviewer(console or Console(), WORDS[language])
