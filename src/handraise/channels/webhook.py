"""Webhooks: a notice as signed JSON, by POST."""

from __future__ import annotations

import hashlib
import ssl
import time
from functools import cache

import httpx

from handraise.channels.addresses import resolve
from handraise.channels.channel import NotDelivered
from handraise.channels.notices import Notice
from handraise.channels.signing import HEADER, sign

PATIENCE = httpx.Timeout(10.0)


class Webhook:
    """One address. A redirect is not followed: it could lead where no webhook may go."""

    def __init__(self, url: str, *, secret: str, private: bool = False) -> None:
        self._url = httpx.URL(url)
        self._secret = secret
        self._private = private
        self.name = f"webhook {hashlib.sha256(url.encode()).hexdigest()[:12]}"

    async def deliver(self, notice: Notice, *, number: int) -> None:
        body = notice.model_dump_json().encode()
        host, port = self._url.host, self._url.port or (443 if self._url.scheme == "https" else 80)
        address = await resolve(host, port, private=self._private)
        headers = {
            "Host": self._url.netloc.decode(),
            "Content-Type": "application/json",
            "User-Agent": "handraise",
            "Handraise-Delivery": f"{self.name.removeprefix('webhook ')}-{number}",
            HEADER: sign(body, secret=self._secret, at=int(time.time())),
        }
        try:
            async with httpx.AsyncClient(
                timeout=PATIENCE, follow_redirects=False, trust_env=False, verify=_authorities()
            ) as client:
                answer = await client.post(
                    self._url.copy_with(host=address),
                    content=body,
                    headers=headers,
                    # The connection goes to the address that was checked; the certificate must be the name's.
                    extensions={"sni_hostname": host},
                )
        except httpx.HTTPError as error:
            raise NotDelivered(f"{host} does not answer: {type(error).__name__}") from None
        if not answer.is_success:
            gone = answer.status_code == httpx.codes.GONE
            raise NotDelivered(f"{host} answered {answer.status_code}", final=gone or answer.is_redirect)


@cache
def _authorities() -> ssl.SSLContext:
    """Read whom we trust once: it takes longer than a delivery."""
    return httpx.create_ssl_context(trust_env=False)
