"""The audit trail: each event bound to the one before it, and seals that bind all sessions together."""

from __future__ import annotations

from handraise.core.log.chain import START, Link, content_digest, new_salt
from handraise.core.log.facts import facts
from handraise.core.log.gists import gist_of
from handraise.store.connection import Connection, read_json, to_json


async def chain_what_is_there(connection: Connection) -> None:
    """Bind the events of a store that is older than the chain."""
    heads: dict[str, str] = {}
    seq = 0
    while rows := await connection.all(
        "SELECT seq, session_id, session_seq, at, name, key, actor, fact FROM events WHERE seq > :seq "
        "ORDER BY seq LIMIT 1000",
        {"seq": seq},
    ):
        for seq, session_id, session_seq, at, name, key, actor, fact in rows:
            salt, gist = new_salt(), gist_of(facts.validate_json(fact))
            digest = content_digest(salt, fact)
            link = Link(
                seq=seq,
                session_id=session_id,
                session_seq=session_seq,
                at=at,
                name=name,
                key=key,
                actor=read_json(actor),
                gist=gist,
                digest=digest,
            )
            heads[session_id] = link.hash(heads.get(session_id, START))
            await connection.run(
                "UPDATE events SET salt = :salt, gist = :gist, digest = :digest, hash = :hash WHERE seq = :seq",
                {"seq": seq, "salt": salt, "gist": to_json(gist), "digest": digest, "hash": heads[session_id]},
            )


STATEMENTS = (
    "ALTER TABLE events ADD COLUMN gist TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE events ADD COLUMN salt TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE events ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE requests ADD COLUMN secrets TEXT",
    "ALTER TABLE runs ADD COLUMN trace TEXT",
    "ALTER TABLE sessions ADD COLUMN forgotten_at BIGINT",
    """
    CREATE TABLE seals (
        number BIGINT PRIMARY KEY,
        at BIGINT NOT NULL,
        seq BIGINT NOT NULL,
        heads TEXT NOT NULL,
        hash TEXT NOT NULL
    )
    """,
    "INSERT INTO counters (name, value) VALUES ('seals', 0)",
    chain_what_is_there,
    "CREATE INDEX events_by_time ON events (at)",
    "CREATE INDEX events_by_name ON events (name, seq)",
    "/*sqlite*/ CREATE INDEX events_by_actor ON events (json_extract(actor, '$.id'), seq)",
    "/*postgresql*/ CREATE INDEX events_by_actor ON events ((actor::jsonb ->> 'id'), seq)",
    "/*sqlite*/ CREATE INDEX events_by_tool ON events (json_extract(gist, '$.tool'), seq)",
    "/*postgresql*/ CREATE INDEX events_by_tool ON events ((gist::jsonb ->> 'tool'), seq)",
)
