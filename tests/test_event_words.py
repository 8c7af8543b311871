"""The pages call every event by words of the reader's language, also the events that are yet to come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest

from handraise.core.log.facts import Fact, SessionCreated

TEXTS = Path(__file__).parents[1] / "console" / "src" / "i18n"


def names_in(union: Any) -> Iterator[str]:
    """Yield the name of every kind of fact in the union."""
    for kind in get_args(get_args(union)[0]):
        yield kind.model_fields["name"].default


def words_in(language: str) -> dict[str, str]:
    texts = json.loads((TEXTS / language / "events.json").read_text())["event"]
    return {f"{about}.{what}": words for about, said in texts.items() for what, words in said.items()}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_event_has_words_and_all_words_are_an_events(language: str) -> None:
    words = words_in(language)

    assert sorted(words) == sorted(names_in(Fact))
    assert len(set(words.values())) == len(words), "two events that read alike cannot be told apart"


def test_an_event_without_words_would_be_found() -> None:
    class MoonEclipsed(SessionCreated):
        name: Literal["moon.eclipsed"] = "moon.eclipsed"  # type: ignore[assignment]

    names = set(names_in(Annotated[SessionCreated | MoonEclipsed, "as Fact is"]))

    assert names - set(words_in("en")) == {"moon.eclipsed"}
