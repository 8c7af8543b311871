"""Public: what the receiver of our webhooks needs, to know that a notice is ours and fresh."""

from __future__ import annotations

from handraise.channels.signing import HEADER as SIGNATURE_HEADER
from handraise.channels.signing import sign, verify

__all__ = ["SIGNATURE_HEADER", "sign", "verify"]
