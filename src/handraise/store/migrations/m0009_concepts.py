"""Entries by their concepts: what was written before there were any is indexed again.

A release that changes the thesaurus or the tokens names `find_again` in a migration of its own.
"""

from __future__ import annotations

import json

from handraise.core.text.concepts import meanings
from handraise.store.connection import Connection
from handraise.store.tables.full_text import FullText, Text

CHUNK = 1_000


async def find_again(connection: Connection) -> None:
    """Index every entry that can be found, by the words and concepts of this version."""
    words = FullText(connection, "knowledge")
    for table in ("knowledge_tokens", "knowledge_terms"):
        await connection.run(f"DELETE FROM {table}")
    seq = 0
    while rows := await connection.all(
        "SELECT seq, question, wordings, answer, tags FROM knowledge_entries WHERE seq > :seq AND status <> 'retired' "
        "ORDER BY seq LIMIT :chunk",
        {"seq": seq, "chunk": CHUNK},
    ):
        texts = {}
        for seq, question, wordings, answer, tags in rows:
            told = "\n".join((answer, *json.loads(tags)))
            texts[seq] = Text.of(question, *json.loads(wordings), answer=told, split=meanings)
        await words.add(texts)
