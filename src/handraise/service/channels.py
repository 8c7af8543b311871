"""From settings to channels."""

from __future__ import annotations

from handraise.channels.apprise_channel import AppriseChannel
from handraise.channels.channel import Channel
from handraise.channels.courier import Courier
from handraise.channels.webhook import Webhook
from handraise.core.errors import Misconfigured
from handraise.service.settings.settings import Channels
from handraise.store.store import Store


def courier_of(settings: Channels, store: Store, *, address: str) -> Courier:
    """Return the courier for the channels that are set up; without any it does nothing."""
    if settings.webhooks and not settings.webhook_secret:
        raise Misconfigured(
            "There are webhooks, and nothing to sign them with.",
            fix="Set channels.webhook_secret to a random text of at least 16 characters.",
        )
    webhooks: list[Channel] = [
        Webhook(url, secret=settings.webhook_secret, private=settings.webhooks_may_be_private)
        for url in settings.webhooks
    ]
    return Courier(
        store, [*webhooks, *map(AppriseChannel, settings.apprise)], tell=frozenset(settings.tell), address=address
    )
