"""Tokens of an OpenID Connect issuer: checked against its published keys, and mapped to our roles."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, get_args

from handraise.core.errors import Misconfigured, NotPermitted, NotSignedIn, Unavailable
from handraise.core.people import Scope
from handraise.service.auth.identity import Identity
from handraise.service.settings.settings import MappedRole, Oidc

if TYPE_CHECKING:
    from jwt import PyJWK, PyJWKClient

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Only those with a public key: a token signed with a shared secret is refused."""

REFETCH_SECONDS = 30
"""How often an unknown key id may make us ask the issuer again, so that nobody can make us ask it all day."""

_STRONGEST_FIRST: tuple[MappedRole, ...] = ("admin", "lead", "operator", "service")


class Issuer:
    """Turns an issuer's tokens into identities."""

    def __init__(self, settings: Oidc) -> None:
        if not settings.audience:
            raise Misconfigured(
                "oidc.issuer is set, but oidc.audience is not.", fix="Name the audience that tokens for us carry."
            )
        if not settings.roles:
            raise Misconfigured(
                "oidc.issuer is set, but oidc.roles is not.", fix='For example: roles = {staff = "operator"}.'
            )
        # PyJWT checks public-key signatures only beside cryptography.
        if find_spec("jwt") is None or find_spec("cryptography") is None:
            raise Misconfigured(
                "Sign-in with an issuer needs two more packages.", fix="Run: pip install 'pyjwt[crypto]'"
            )
        self._settings = settings
        self._client: PyJWKClient | None = None
        self._refetched = -float(REFETCH_SECONDS)

    async def identity_of(self, token: str) -> Identity:
        """Return who a token speaks for, or refuse it."""
        claims = await asyncio.to_thread(self._claims, token)
        said = _at(claims, self._settings.role_claim)
        values = said if isinstance(said, list) else str(said).split() if said else []
        mapped = {self._settings.roles[value] for value in values if value in self._settings.roles}
        subject = f"oidc:{claims['sub']}"
        for role in _STRONGEST_FIRST:
            if role in mapped:
                name = str(_at(claims, self._settings.name_claim) or claims["sub"])
                granted = str(claims.get("scope", "")).split()
                scopes = tuple(scope for scope in get_args(Scope) if scope in granted)
                return Identity(role=role, id=subject, name=name, scopes=scopes, client=f"{role} {subject}")
        raise NotPermitted(
            f"The token's claim {self._settings.role_claim} is {values!r}, which gives no role here.",
            fix="Give the person a role at the issuer, or map it in oidc.roles.",
        )

    def _claims(self, token: str) -> dict[str, Any]:
        import jwt

        try:
            header = jwt.get_unverified_header(token)
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key(str(header.get("kid", ""))),
                algorithms=ALGORITHMS,
                audience=self._settings.audience,
                issuer=self._settings.issuer,
                leeway=30,
                options={"require": ["exp", "sub", "iss", "aud"]},
            )
        except jwt.PyJWKClientConnectionError as error:
            raise Unavailable(f"The issuer's keys cannot be read: {error}.", fix="Try again later.") from None
        except jwt.PyJWTError as error:
            raise NotSignedIn(f"The token is not valid: {error}.", fix="Sign in again at the issuer.") from None
        return claims

    def _key(self, kid: str) -> PyJWK:
        import jwt

        if self._client is None:
            self._client = jwt.PyJWKClient(self._settings.jwks_url or self._discovered(), timeout=5)
        for refresh in (False, True):
            if refresh and time.monotonic() - self._refetched < REFETCH_SECONDS:
                break
            if refresh:
                self._refetched = time.monotonic()
            for key in self._client.get_signing_keys(refresh=refresh):
                if key.key_id == kid:
                    return key
        raise jwt.InvalidTokenError(f"the issuer has no key {kid!r}")

    def _discovered(self) -> str:
        url = f"{self._settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return str(json.load(answer)["jwks_uri"])
        except (OSError, ValueError, KeyError) as error:
            raise Unavailable(f"The issuer's {url} cannot be read: {error}.", fix="Check oidc.issuer.") from None


def _at(claims: dict[str, Any], path: str) -> Any:
    """Return a claim; dots lead into objects, unless a claim has that very name."""
    if path in claims:
        return claims[path]
    value: Any = claims
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
