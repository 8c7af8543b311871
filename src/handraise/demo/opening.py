"""Opening the demo: everything that `handraise demo` serves, from what its command line says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handraise.core.requests import Fallback
    from handraise.engine.loading import Agent
    from handraise.store.store import Store

AGENT = "shop"


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The shop's agents and their first run, in one folder."""

    folder: Path
    database_url: str
    model: str | None = None
    base_url: str | None = None
    question_seconds: float = 300
    fallback: Fallback = "inform"

    @property
    def scripted(self) -> bool:
        return self.model is None

    def agents(self) -> Mapping[str, Agent]:
        """Return the agents by name, on the script or on a real model."""
        from handraise.agents.ask_human.tool import AskHumanAgentTool
        from handraise.demo.models import real_models
        from handraise.demo.shop import build_agent

        models = real_models(self.model, base_url=self.base_url) if self.model else None
        ask = AskHumanAgentTool(timeout_seconds=self.question_seconds, fallback=self.fallback)
        return {AGENT: build_agent(self._shop_file, models=models, ask=ask)}

    async def first_run(self, store: Store) -> None:
        """Fill an empty store with conversations. They are scripted even where a real model goes on with them."""
        from handraise.demo.first_run import FirstRun

        run = FirstRun(store=store, database_url=self.database_url, shop_file=self._shop_file, agent=AGENT)
        await run.play()

    @property
    def _shop_file(self) -> Path:
        return self.folder / "shop.db"
