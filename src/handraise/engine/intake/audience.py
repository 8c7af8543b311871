"""The audience: who decides a request. Operators do, but for the tools that the customer confirms in a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handraise.core.policy import best_key
from handraise.core.requests import Request


@dataclass(frozen=True)
class Audience:
    """Names and globs of the tools whose calls the customer confirms."""

    customer_confirms: Sequence[str] = ()

    def assign(self, request: Request) -> Request:
        """Return the request with its audience. Only a call to review can be the customer's, never a question."""
        theirs = request.is_review and best_key(request.tool, self.customer_confirms) is not None
        return request.model_copy(update={"audience": "customer"}) if theirs else request
