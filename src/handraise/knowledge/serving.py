"""The knowledge base of a running service: search, curation, and what follows the log and serves the tool."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from handraise.knowledge.capture import Capture, CaptureMode
from handraise.knowledge.curation import Curation
from handraise.knowledge.search import Search
from handraise.knowledge.tool import connect
from handraise.store.store import Store


class KnowledgeBase:
    """Use it as a context manager: inside, answers are captured and `knowledge_search` works in this process."""

    def __init__(self, store: Store, *, capture: CaptureMode = "draft", embeddings: str | None = None) -> None:
        self.curation = Curation(store)
        self.search = Search(store)
        if embeddings:
            from handraise.knowledge.embeddings import Meanings

            self.search = Search(store, meanings=Meanings.of(store, embeddings))
        self._capture = Capture(store, mode=capture)

    async def __aenter__(self) -> Self:
        await self._capture.__aenter__()
        connect(self.search)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        connect(None)
        await self._capture.__aexit__(kind, error, trace)
