"""Embeddings: search by meaning beside search by words. Optional, through LangChain's `init_embeddings`."""

from __future__ import annotations

import asyncio
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from operator import mul

import structlog
from langchain_core.embeddings import Embeddings

from handraise.core.errors import Misconfigured, Unavailable
from handraise.store.store import Store, Transaction

log = structlog.get_logger(__name__)

BATCH = 64
FUSION = 60
"""How slowly a place in a list loses worth when lists are fused; the usual constant of reciprocal rank fusion."""

PATIENCE = 20.0
"""How many seconds a model may take for one batch: a customer waits for it."""


class Meanings:
    """The vectors of one embedding model. They are compared one by one, which is quick for some thousand entries."""

    def __init__(self, store: Store, model: Embeddings, *, name: str) -> None:
        self._store = store
        self._model = model
        self._name = name
        self._known: dict[int, tuple[int, array[float]]] = {}
        """The version and the vector of each row; replaced as a whole, for several searches may go on at once."""

    @classmethod
    def of(cls, store: Store, name: str) -> Meanings:
        """Return the meanings by a model that LangChain knows as `name`, e.g. `openai:text-embedding-3-small`."""
        from langchain.embeddings import init_embeddings

        try:
            model = init_embeddings(name)
        except (ImportError, ValueError) as error:
            raise Misconfigured(
                f"The embedding model {name!r} cannot be used: {error}",
                fix="Name one as provider:model, and install the provider's LangChain package.",
            ) from None
        if not isinstance(model, Embeddings):
            raise Misconfigured(f"{name!r} is no embedding model.", fix="Name one as provider:model.")
        return cls(store, model, name=name)

    async def refresh(self) -> int:
        """Embed what was published or changed since. Return how many entries that were."""
        done = 0
        while missing := await self._store.read(lambda tx: tx.vectors.missing(self._name, limit=BATCH)):
            vectors = await self._embedded([text for _, _, text in missing])

            async def keep(
                tx: Transaction,
                missing: Sequence[tuple[int, int, str]] = missing,
                vectors: Sequence[Sequence[float]] = vectors,
            ) -> None:
                for (row, version, _), vector in zip(missing, vectors, strict=True):
                    await tx.vectors.put(self._name, row=row, version=version, vector=vector)

            await self._store.write(keep)
            done += len(missing)
        return done

    async def nearest(self, question: str, *, limit: int) -> list[int]:
        """Return the rows of the entries nearest in meaning; none when the model fails, for words still find."""
        try:
            await self.refresh()
            [asked] = await self._embedded([question])
        except Unavailable as error:
            log.warning("search.by_words_alone", error=str(error))
            return []
        self._known = known = await self._store.read(self._current)
        return await asyncio.to_thread(_nearest, asked, {row: vector for row, (_, vector) in known.items()}, limit)

    async def _current(self, tx: Transaction) -> dict[int, tuple[int, array[float]]]:
        """Return what can be found now; only vectors that are not in memory yet are read."""
        versions = await tx.vectors.current(self._name)
        known = {row: kept for row, kept in self._known.items() if versions.get(row) == kept[0]}
        missing = [row for row in versions if row not in known]
        fresh = await tx.vectors.get(self._name, missing) if missing else {}
        return known | {row: (versions[row], vector) for row, vector in fresh.items()}

    async def _embedded(self, texts: list[str]) -> list[list[float]]:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._model.aembed_documents(texts)
        except TimeoutError:
            raise Unavailable(
                f"The embedding model {self._name} has not answered for {PATIENCE:.0f} seconds.",
                fix="Check its address; search by words works without it.",
            ) from None
        except Exception as error:
            raise Unavailable(
                f"The embedding model {self._name} does not answer: {error}.",
                fix="Check its key and address; search by words works without it.",
            ) from error


def fuse(lists: Iterable[Sequence[int]]) -> list[int]:
    """Return one list by reciprocal rank: what stands high in several comes first."""
    worth: dict[int, float] = {}
    for listed in lists:
        for place, row in enumerate(listed):
            worth[row] = worth.get(row, 0.0) + 1 / (FUSION + place + 1)
    return sorted(worth, key=lambda row: (-worth[row], row))


def _nearest(asked: Sequence[float], vectors: Mapping[int, array[float]], limit: int) -> list[int]:
    length = math.hypot(*asked) or 1.0
    scores = {
        row: sum(map(mul, asked, vector)) / (length * (math.hypot(*vector) or 1.0)) for row, vector in vectors.items()
    }
    return sorted(scores, key=lambda row: (-scores[row], row))[:limit]
