"""Where a webhook may go: never to an address that only this machine or its network can reach, unless allowed."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

from handraise.channels.channel import NotDelivered


async def resolve(host: str, port: int, *, private: bool) -> str:
    """Return an address to connect to, or refuse. It is the one that was checked: a name may change its mind."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise NotDelivered(f"{host} has no address: {error}") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not private and not all(is_public(address) for address in addresses):
        raise NotDelivered(
            f"{host} is a private address. Set channels.webhooks_may_be_private if it is meant.", final=True
        )
    return addresses[0]


def is_public(address: str) -> bool:
    """Return whether an address belongs to the open network. One that hides another inside is judged by that one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return ip.is_global and not ip.is_multicast
