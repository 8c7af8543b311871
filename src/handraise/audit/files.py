"""Checking an exported file by itself, and reading the head that one keeps."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from handraise.audit.checking import Kept
from handraise.audit.findings import Finding, Verdict
from handraise.audit.lines import EventLine, HeadLine, SealLine, TitleLine, line_adapter
from handraise.audit.verification import Verification
from handraise.core.errors import InvalidInput
from handraise.core.log.chain import START

HASH = re.compile(r"[0-9a-f]{64}")


def check_file(lines: Iterable[str]) -> Verdict:
    """Walk an exported trail. The whole trail is checked as a store is; of a part, each event is by itself."""
    walk = Verification()
    said = hashlib.sha256()
    head: HeadLine | None = None
    forgotten: dict[str, int] = {}
    seals = 0
    for number, text in enumerate(lines, start=1):
        line = _read(text, number)
        if head is not None:
            walk.findings.append(Finding(wrong="added", what=f"line {number} comes after the head"))
            break
        match line:
            case TitleLine(filters=filters):
                walk.whole = not filters
            case EventLine():
                walk.event(line.row(), previous=None if walk.whole else line.previous)
                _note_forgotten(line, forgotten)
            case SealLine():
                seals += 1
                walk.seal(line.seal())
            case HeadLine():
                head = line
        if head is None:
            said.update(text.encode())
    findings = walk.finish(forgotten=forgotten) if walk.whole else [*walk.findings]
    findings += _against_head(walk, head, said.hexdigest())
    return Verdict(events=walk.events, seals=seals, findings=findings, forgotten=walk.emptied)


def kept_head(text: str) -> Kept:
    """Return the head that `text` is, or that the file it names ends with."""
    if HASH.fullmatch(text):
        return Kept(hash=text)
    path = Path(text)
    if not path.is_file():
        raise InvalidInput(f"{text!r} is neither a hash nor a file.", fix="Give 64 hex digits, or an exported file.")
    last = ""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            last = line if line.strip() else last
    try:
        head = HeadLine.model_validate_json(last)
    except ValidationError:
        raise InvalidInput(f"The last line of {text} is not a head.", fix="Give a whole export.") from None
    return Kept(hash=head.hash, number=head.seal)


def _read(text: str, number: int) -> TitleLine | EventLine | SealLine | HeadLine:
    try:
        line = line_adapter.validate_json(text)
    except ValidationError as error:
        what = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise InvalidInput(
            f"Line {number} is no line of a trail: {what}.", fix="Give a file that was exported."
        ) from None
    if number == 1 and not isinstance(line, TitleLine):
        raise InvalidInput("The first line does not say what the file is.", fix="Give a file that was exported.")
    return line


def _note_forgotten(line: EventLine, forgotten: dict[str, int]) -> None:
    if line.name == "session.forgotten" and line.content:
        up_to = json.loads(line.content).get("up_to", 0)
        forgotten[line.session_id] = max(up_to, forgotten.get(line.session_id, 0))


def _against_head(walk: Verification, head: HeadLine | None, said: str) -> list[Finding]:
    if head is None:
        return [Finding(wrong="cut_off", what="the file has no head: its end is missing")]
    found = []
    if head.events != walk.events:
        found.append(Finding(wrong="missing", what=f"the head counts {head.events} events, {walk.events} are there"))
    if head.lines != said:
        found.append(Finding(wrong="changed", what="the lines are not those that the head was written for"))
    last = walk.last_seal
    if walk.whole and (last.hash if last else START) != head.hash:
        found.append(Finding(wrong="cut_off", what=f"the last seal is not seal {head.seal}, which the head names"))
    return found
