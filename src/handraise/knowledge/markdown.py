"""Entries as Markdown: a heading for each question, its answer below, and what else is known in a comment.

    ## How do I return an item?
    <!-- {"tags": ["returns"]} -->
    Request a label within 30 days.

The comment may be left out. A line of an answer that would look like a heading or a comment is written with a
backslash before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from handraise.core.errors import InvalidInput
from handraise.core.knowledge import Entry

_HEADING = "## "
_COMMENT = re.compile(r"^<!--\s*(\{.*\})\s*-->$")
_LOOKS_LIKE_OURS = re.compile(r"^(\\*)(## |<!-- \{)")


def write_markdown(entries: Iterable[Entry]) -> str:
    """Return entries as a page."""
    parts = ["# Knowledge\n"]
    for entry in entries:
        rest = entry.model_dump(mode="json", exclude={"question", "answer"}, exclude_defaults=True)
        if "\n" in entry.question:
            rest["question"] = entry.question
        # "-->" inside a comment would end it; JSON may write the sign as an escape.
        comment = json.dumps(rest, ensure_ascii=False).replace("-->", "--\\u003e")
        body = "\n".join(_LOOKS_LIKE_OURS.sub(r"\\\1\2", line) for line in entry.answer.split("\n"))
        parts.append(f"{_HEADING}{' '.join(entry.question.split())}\n<!-- {comment} -->\n{body}\n")
    return "\n".join(parts)


def read_markdown(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the values of each entry with the line of its heading."""
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith(_HEADING)]
    for at, end in pairwise([*starts, len(lines)]):
        values: dict[str, Any] = {"question": lines[at].removeprefix(_HEADING).strip()}
        body = lines[at + 1 : end]
        if body and (comment := _COMMENT.match(body[0].strip())):
            values |= _values(comment[1], f"{name}, line {at + 2}")
            body = body[1:]
        answer = "\n".join(re.sub(r"^\\(\\*(?:## |<!-- \{))", r"\1", line) for line in body)
        values["answer"] = answer.strip("\n")
        yield at + 1, values


def _values(comment: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(comment)
    except ValueError as error:
        raise InvalidInput(
            f"{where}: the comment is not JSON: {error}.", fix="Nothing was imported; mend or remove the comment."
        ) from None
    return dict(found)
