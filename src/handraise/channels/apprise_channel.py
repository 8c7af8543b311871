"""Apprise: Slack, DingTalk, Feishu, WeCom, e-mail and a hundred more, each named by one address."""

from __future__ import annotations

import hashlib

from handraise.channels.channel import NotDelivered
from handraise.channels.notices import Notice
from handraise.core.errors import Misconfigured


class AppriseChannel:
    """One Apprise address. The address may hold a password, so only its kind and a hash of it are ever shown."""

    def __init__(self, url: str) -> None:
        try:
            import apprise
        except ModuleNotFoundError:
            raise Misconfigured(
                "channels.apprise needs the package apprise, which is not installed.",
                fix="Run: pip install 'handraise[channels]'",
            ) from None
        kind = url.partition("://")[0]
        self.name = f"apprise {kind} {hashlib.sha256(url.encode()).hexdigest()[:12]}"
        self._apprise = apprise.Apprise()
        if not self._apprise.add(url):
            raise Misconfigured(
                f"Apprise does not understand the address {kind}://...",
                fix="Look it up in Apprise's list of notifications, and correct channels.apprise.",
            )

    async def deliver(self, notice: Notice, *, number: int) -> None:
        # What a customer or a model wrote must not become mark-up in somebody's chat.
        delivered = await self._apprise.async_notify(title=notice.title(), body=notice.body(), body_format="text")
        if not delivered:
            raise NotDelivered(f"{self.name} did not take it")
