"""Verification: walks a trail in order and finds whatever was changed, removed, added or moved.

It knows nothing of where the rows come from: the database and an exported file are checked by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handraise.audit.findings import Finding, Wrong
from handraise.core.log.chain import START, Head, Link, Seal, content_digest, heads_of
from handraise.store.connection import read_json
from handraise.store.tables.trail import Stored


@dataclass
class _Session:
    """Where the walk stands in one session: the last event, its hash as stored and as it should be."""

    number: int = 0
    stored: str = START
    expected: str = START


@dataclass
class Verification:
    """Give it every event and every seal in order, then ask for what remains to be said.

    `whole` is false for a part of a trail: then numbers may be left out, and each event brings the hash before it.
    """

    whole: bool = True
    events: int = 0
    findings: list[Finding] = field(default_factory=list)
    _seq: int = 0
    _missing: list[tuple[int, int]] = field(default_factory=list)
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _moved: dict[str, Head] = field(default_factory=dict)
    _seal: Seal | None = None
    _seal_hashes: tuple[str, str] = (START, START)
    _empty: list[Stored] = field(default_factory=list)
    _missing_in_sessions: int = 0

    def event(self, row: Stored, *, previous: str | None = None) -> None:
        """Check the next event. A part of a trail says which hash came before it."""
        self.events += 1
        if not all(isinstance(number, int) for number in (row.seq, row.session_seq, row.at)):
            # SQLite keeps whatever somebody writes into a column.
            self._broken("changed", f"event {row.seq!r} of session {row.session_id!r} has a number that is none")
            return
        if not all(isinstance(text, str) for text in (row.session_id, row.hash)):
            self._broken("changed", f"event {row.seq} of the store has a session or a hash that is no text")
            return
        session = self._sessions.setdefault(row.session_id, _Session())
        follows = self._check_place(row, session)
        self._check_content(row)
        before = {session.stored, session.expected} if follows else set()
        if previous is not None:
            if follows and previous not in before:
                self._found("changed", row, "it does not follow the event before it")
            before = {previous}
        expected = self._check_hash(row, before)
        session.number, session.stored, session.expected = row.session_seq, row.hash, expected
        self._seq = max(self._seq, row.seq)
        self._moved[row.session_id] = Head(row.session_id, row.session_seq, row.hash)

    def _check_place(self, row: Stored, session: _Session) -> bool:
        """Return whether this event follows the one before it in its session."""
        if not self.whole:
            return row.session_seq == session.number + 1 and session.number > 0
        if row.seq > self._seq + 1:
            self._missing.append((self._seq + 1, row.seq - 1))
        elif row.seq < 1:
            self._found("added", row, "the first event of a store has the number 1")
        gap = row.session_seq - session.number - 1
        if gap > 0:
            self._missing_in_sessions += gap
            before = "" if gap == 1 else f" to {row.session_seq - 1}"
            self.findings.append(
                Finding(
                    wrong="missing",
                    session_id=row.session_id,
                    number=session.number + 1,
                    what=f"event {session.number + 1}{before} is not there",
                )
            )
        elif gap < 0:
            self._found("reordered", row, f"it comes after event {session.number}")
        return gap == 0

    def _check_content(self, row: Stored) -> None:
        if not row.fact and not row.salt:
            self._empty.append(row)
        elif content_digest(row.salt, row.fact) != row.digest:
            self._found("changed", row, f"what this {row.name} says is not what was stored")

    def _check_hash(self, row: Stored, before: set[str]) -> str:
        """Check that an event is bound to the one before it, and return the hash that it should have."""
        try:
            link = link_of(row)
            expected = [link.hash(previous) for previous in before or {START}]
        except (ValueError, TypeError):
            self._found("changed", row, "its actor or gist is not a document of this store")
            return row.hash
        if not before:
            return row.hash  # what came before it is not there, so there is nothing to compare with
        if row.hash not in expected:
            self._found("changed", row, f"this {row.name}, or its place in the session, is not what was stored")
            return expected[0]
        return row.hash

    def seal(self, seal: Seal) -> None:
        """Check a seal, once every event that it covers has been given."""
        if not seal.is_sound:
            self._broken("changed", f"seal {seal.number!r} has a number that is none")
            return
        last, self._seal = self._seal, seal
        number, covered = (last.number, last.seq) if last else (0, 0)
        stored, expected = self._seal_hashes
        if seal.number != number + 1:
            self._broken("missing", f"seal {number + 1} is not there")
            self._seal_hashes = (seal.hash, seal.hash)
        else:
            hashes = [seal.seal(previous) for previous in (stored, expected)]
            self._seal_hashes = (seal.hash, seal.hash if seal.hash in hashes else hashes[0])
            if seal.hash not in hashes:
                self._broken("changed", f"seal {seal.number} is not what was stored")
        if seal.seq <= covered:
            self._broken("changed", f"seal {seal.number} covers nothing")
        self._compare_heads(seal, {head.session_id: head for head in seal.heads})

    def _compare_heads(self, seal: Seal, sealed: Mapping[str, Head]) -> None:
        moved, self._moved = self._moved, {}
        for head in heads_of([*moved.values(), *sealed.values()]):
            here, there = moved.get(head.session_id), sealed.get(head.session_id)
            if here == there:
                continue
            found: dict[str, Any] = {"session_id": head.session_id}
            if here is None or (there is not None and here.session_seq < there.session_seq):
                number = there.session_seq if there else None
                what = f"seal {seal.number} recorded it, and it is not there"
                self.findings.append(Finding(wrong="missing", number=number, what=what, **found))
            elif there is None or here.session_seq > there.session_seq:
                what = f"seal {seal.number} was made after it, and does not know it"
                self.findings.append(Finding(wrong="added", number=here.session_seq, what=what, **found))
            else:
                what = f"it is not the event that seal {seal.number} recorded: it, or one before it, was written anew"
                self.findings.append(Finding(wrong="rewritten", number=here.session_seq, what=what, **found))

    def finish(
        self,
        *,
        counted: Any = None,
        sealed: Any = None,
        last_numbers: Mapping[str, Any] | None = None,
        forgotten: Mapping[str, int] | None = None,
    ) -> list[Finding]:
        """Return everything that is wrong, once all was given: also what only shows at the end."""
        counted = self._number("the counter of events", counted)
        sealed = self._number("the counter of sealed events", sealed)
        if counted is not None and counted > self._seq:
            self._missing.append((self._seq + 1, counted))
        if counted is not None and self._seq > counted:
            self._broken("added", f"event {counted} of the store was the last that was written, and more are there")
        if sealed is not None and sealed != (self._seal.seq if self._seal else 0):
            self._broken("cut_off", f"the seals once covered every event up to number {sealed} of the store")
        if self._seal is not None and self.whole and self._seal.seq > self._seq:
            self._broken("cut_off", f"seal {self._seal.number} covers event {self._seal.seq} of the store")
        for session_id, written in sorted((last_numbers or {}).items()):
            if (last := self._number(f"the last number of session {session_id}", written)) is not None:
                self._check_end(session_id, last)
        if last_numbers is not None:
            for session_id in sorted(self._sessions.keys() - last_numbers.keys()):
                found = Finding(wrong="missing", session_id=session_id, what="its session is not there")
                self.findings.append(found)
        if sum(last - first + 1 for first, last in self._missing) != self._missing_in_sessions:
            for first, last in self._missing:
                numbers = f"event {first}" if first == last else f"events {first} to {last}"
                self._broken("missing", f"{numbers} of the store: not there")
        self._check_forgotten(forgotten or {})
        return self.findings

    def _number(self, what: str, value: Any) -> int | None:
        if value is None or isinstance(value, int):
            return value
        self._broken("changed", f"{what} is {value!r}, which is no number")
        return None

    def _check_end(self, session_id: str, last: int) -> None:
        here = self._sessions.get(session_id, _Session()).number
        if here < last:
            self._missing_in_sessions += last - here
            what = f"the session had {last} events; the end is cut off"
            found = Finding(wrong="cut_off", session_id=session_id, number=here + 1, what=what)
            self.findings.append(found)
        elif here > last:
            what = f"the session has written no more than {last} events"
            self.findings.append(Finding(wrong="added", session_id=session_id, number=here, what=what))

    def _check_forgotten(self, forgotten: Mapping[str, int]) -> None:
        for row in self._empty:
            if row.session_seq > forgotten.get(row.session_id, 0):
                self._found("changed", row, f"what this {row.name} says was removed, and nobody is on record for it")

    def _found(self, wrong: Wrong, row: Stored, what: str) -> None:
        self.findings.append(
            Finding(wrong=wrong, what=what, session_id=row.session_id, number=row.session_seq, seq=row.seq)
        )

    def _broken(self, wrong: Wrong, what: str) -> None:
        self.findings.append(Finding(wrong=wrong, what=what))

    @property
    def emptied(self) -> int:
        """How many events have no content any more."""
        return len(self._empty)

    @property
    def last_seal(self) -> Seal | None:
        """The newest seal that was given."""
        return self._seal


def link_of(row: Stored) -> Link:
    """Return an event as the chain binds it; raise ValueError when its documents are not ours."""
    actor, gist = read_json(row.actor), read_json(row.gist)
    if not isinstance(actor, dict) or not isinstance(gist, dict):
        raise TypeError("an actor and a gist are objects")
    return Link(
        seq=row.seq,
        session_id=row.session_id,
        session_seq=row.session_seq,
        at=row.at,
        name=row.name,
        key=row.key,
        actor=actor,
        gist=gist,
        digest=row.digest,
    )
