"""Filters of the list of requests by what insights count: whatever is counted can be listed."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query
from pydantic import AwareDatetime

from handraise.store.connection import to_us
from handraise.store.measures import Lapse, Outcome, Speed
from handraise.store.tables.request_facts import FactFilter

_Name = Annotated[str | None, Query(max_length=200)]
_From = Annotated[AwareDatetime | None, Query(examples=["2026-03-01T00:00:00Z"])]
_Flag = Annotated[bool, Query(description="Only these, when true.")]


def facts_filter(
    created_from: _From = None,
    created_to: _From = None,
    decided_from: _From = None,
    decided_to: _From = None,
    session_from: _From = None,
    session_to: _From = None,
    agent: _Name = None,
    outcome: Outcome | None = None,
    fallback: Annotated[Lapse | None, Query(description="Expired ones, by what came instead of an answer.")] = None,
    response: Annotated[
        Speed | None, Query(description="Answered within 60 seconds, later, or not: as the response time counts them.")
    ] = None,
    decided_by: _Name = None,
    claimed_first_by: _Name = None,
    edited: Annotated[str | None, Query(max_length=200, description="An argument that a person changed.")] = None,
    decided: _Flag = False,
    claimed: _Flag = False,
    first: Annotated[bool, Query(description="Only the first of each session, sorted by the sessions' age.")] = False,
    quick: Annotated[bool, Query(description="Only those decided in less than 2 seconds.")] = False,
    repeated: _Flag = False,
    doubted: _Flag = False,
    settled: _Flag = False,
) -> FactFilter | None:
    """Return the filter, or None when nothing is asked for."""
    found = FactFilter(
        created_from=to_us(created_from),
        created_to=to_us(created_to),
        decided_from=to_us(decided_from),
        decided_to=to_us(decided_to),
        session_from=to_us(session_from),
        session_to=to_us(session_to),
        agent=agent,
        outcome=outcome,
        lapse=fallback,
        speed=response,
        decided_by=decided_by,
        claimer=claimed_first_by,
        edited=edited,
        decided=decided,
        claimed=claimed,
        first=first,
        quick=quick,
        repeated=repeated,
        doubted=doubted,
        settled=settled,
    )
    return None if found == FactFilter() else found


FactsHere = Annotated[FactFilter | None, Depends(facts_filter)]
