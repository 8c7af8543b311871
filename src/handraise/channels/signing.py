"""Signatures: how the receiver of a webhook knows that it is ours, and fresh.

`Handraise-Signature: t=<seconds>,v1=<hex>`, where v1 is HMAC-SHA256 of `<seconds>.<body>` with the shared secret. A
receiver computes it again, compares in constant time, and refuses what is older than a few minutes.
"""

from __future__ import annotations

import hashlib
import hmac

HEADER = "Handraise-Signature"


def sign(body: bytes, *, secret: str, at: int) -> str:
    """Return the header's value for a body that is sent at `at` (seconds since 1970)."""
    return f"t={at},v1={_digest(body, secret, at)}"


def verify(body: bytes, signature: str, *, secret: str, now: int, tolerance: int = 300) -> bool:
    """Return whether a body is what the holder of the secret signed, not longer than `tolerance` seconds ago."""
    parts = dict(part.partition("=")[::2] for part in signature.split(","))
    at = parts.get("t", "")
    if not (at.isascii() and at.isdigit()) or abs(now - int(at)) > tolerance:
        return False
    return hmac.compare_digest(_digest(body, secret, int(at)), parts.get("v1", ""))


def _digest(body: bytes, secret: str, at: int) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
