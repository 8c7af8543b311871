"""The help desk's socket says of every fact about a request whether it tells it."""

from __future__ import annotations

from handraise.core.log.facts import ABOUT_A_REQUEST
from handraise.service.help_desk_api.socket import EVENTS


def test_every_fact_about_a_request_is_told_or_left_out_on_purpose() -> None:
    assert set(EVENTS) == {fact.model_fields["name"].default for fact in ABOUT_A_REQUEST}
