"""Files: the knowledge base as JSON Lines, which loses nothing, and as Markdown, which people like to read and write.

A file is read and checked to its end before anything is stored, and stored in one transaction: all of it or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from handraise.core.actors import Actor
from handraise.core.errors import HandraiseError, InvalidInput, NotFound
from handraise.core.knowledge import Entry
from handraise.core.log.facts import EntryDrafted, EntryPublished
from handraise.core.states import EntryStatus
from handraise.knowledge.curation import NewEntry, drafted, record_fact
from handraise.knowledge.markdown import read_markdown, write_markdown
from handraise.store.store import Store, Transaction
from handraise.store.tables.knowledge import EntryFact

Format = Literal["jsonl", "markdown"]
PAGE = 500


class Imported(BaseModel):
    """What an import did."""

    added: int
    unchanged: int


def format_of(path: Path) -> Format:
    """Return the format that a file's name promises."""
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            return "jsonl"
        case ".md" | ".markdown":
            return "markdown"
        case other:
            raise InvalidInput(
                f"The file name {path.name!r} ends in {other!r}, which says no format.",
                fix="Name it .jsonl or .md, or give --format.",
            )


def read_entries(text: str, *, format: Format, name: str, by: Actor, at: datetime) -> list[tuple[int, Entry]]:
    """Return the entries of a file with the line that each starts at, or say which line is wrong and why."""
    found: list[tuple[int, Entry]] = []
    lines_of: dict[tuple[str, str], int] = {}
    for line, values in _json_lines(text, name) if format == "jsonl" else read_markdown(text, name):
        entry = _entry(values, where=f"{name}, line {line}", by=by, at=at)
        for field, value in (("id", entry.id), ("request_id", entry.request_id)):
            if value is not None and (first := lines_of.setdefault((field, value), line)) != line:
                raise InvalidInput(
                    f"{name}, line {line}: the {field} {value!r} was used in line {first} already.",
                    fix=f"Nothing was imported; give each entry its own `{field}`, or none.",
                )
        found.append((line, entry))
    if not found:
        raise InvalidInput(f"{name} has no entries.", fix="See docs/knowledge.md for what a file looks like.")
    return found


async def import_entries(
    store: Store, text: str, *, format: Format, name: str, by: Actor, publish: bool = False
) -> Imported:
    """Store the entries of a file: all, or none. An entry that is there already, and equal, is left as it is."""
    read = read_entries(text, format=format, name=name, by=by, at=await store.read(lambda tx: tx.now()))

    async def work(tx: Transaction) -> Imported:
        new: list[EntryFact] = []
        for line, entry in read:
            known = await _known(tx, entry.id)
            captured = await tx.knowledge.of_request(entry.request_id) if entry.request_id else None
            if captured is not None and captured.id != entry.id:
                raise InvalidInput(
                    f"{name}, line {line}: entry {captured.id!r} is from the request {entry.request_id!r} already.",
                    fix="Nothing was imported; remove the `request_id`, or the line.",
                )
            if known is None:
                # An entry that comes as published begins so: its history starts here.
                if publish and entry.status == "draft":
                    entry = entry.model_copy(update={"status": "published"})  # noqa: PLW2901  # the same entry
                new.append(EntryDrafted(entry=entry) if entry.status == "draft" else EntryPublished(entry=entry))
            elif known.model_dump(exclude={"uses"}) != entry.model_dump(exclude={"uses"}):
                raise InvalidInput(
                    f"{name}, line {line}: entry {entry.id!r} is in the knowledge base and differs from the file.",
                    fix="Nothing was imported; edit that entry there, or remove the id to import it as a new one.",
                )
        await tx.knowledge.add(new, by=by)
        for fact in new:
            await record_fact(tx, fact, by=by)
        return Imported(added=len(new), unchanged=len(read) - len(new))

    return await store.write(work)


async def export_entries(store: Store, *, format: Format, status: EntryStatus | None = None) -> str:
    """Return the knowledge base as a file, the oldest entry first."""

    async def read(tx: Transaction) -> list[Entry]:
        entries: list[Entry] = []
        cursor: int | None = None
        while True:
            page = await tx.knowledge.list(status=status, limit=PAGE, cursor=cursor)
            entries += page.items
            cursor = page.next_cursor
            if cursor is None:
                return entries[::-1]

    entries = await store.read(read)
    return write_markdown(entries) if format == "markdown" else _write_json_lines(entries)


def _write_json_lines(entries: Iterable[Entry]) -> str:
    return "".join(f"{json.dumps(entry.model_dump(mode='json'), ensure_ascii=False)}\n" for entry in entries)


def _json_lines(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # Not splitlines(): that also splits at characters which JSON allows inside text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except ValueError as error:
            raise InvalidInput(
                f"{name}, line {number}: not JSON: {error}.", fix="Nothing was imported; write one object on each line."
            ) from None
        if not isinstance(values, dict):
            raise InvalidInput(
                f"{name}, line {number}: a {type(values).__name__} where an object is expected.",
                fix='Nothing was imported; write e.g. {"question": "...", "answer": "..."}.',
            )
        yield number, values


def _entry(values: dict[str, Any], *, where: str, by: Actor, at: datetime) -> Entry:
    try:
        if "id" not in values:
            return drafted(NewEntry.model_validate(values), by=by, at=at)
        given = {"created_by": by.model_dump(), "created_at": at, "updated_at": at}
        return Entry.model_validate(given | values).checked()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"{where}: {field}: {first['msg']}.", fix="Nothing was imported; mend that field.") from None
    except HandraiseError as error:
        raise InvalidInput(f"{where}: {error.what}", fix=f"Nothing was imported. {error.fix}") from None


async def _known(tx: Transaction, entry_id: str) -> Entry | None:
    try:
        return await tx.knowledge.get(entry_id)
    except NotFound:
        return None
