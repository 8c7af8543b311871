"""Tokens of an OpenID Connect issuer: a real one on a socket of its own, with keys that change."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from handraise.core.errors import Misconfigured, NotPermitted, NotSignedIn, Unavailable
from handraise.service.auth import oidc
from handraise.service.auth.oidc import Issuer
from handraise.service.settings.settings import Oidc, Settings
from tests.patience import PATIENCE
from tests.service.serving import serving

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class IdentityProvider(ThreadingHTTPServer):
    """Publishes its keys, and counts how often it is asked for them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.keys = [{**RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True), "kid": "one", "use": "sig"}]
        self.asked = 0

    def token(self, key: Any = RSA, *, kid: str = "one", algorithm: str = "RS256", **changes: Any) -> str:
        claims = {
            "iss": self.address,
            "aud": "handraise",
            "sub": "7",
            "name": "Grace",
            "exp": time.time() + 60,
            "realm_access": {"roles": ["staff", "other"]},
            **changes,
        }
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid})


class _Handler(BaseHTTPRequestHandler):
    server: IdentityProvider

    def do_GET(self) -> None:
        self.server.asked += self.path == "/keys"
        answer = {"keys": self.server.keys} if self.path == "/keys" else {"jwks_uri": f"{self.server.address}/keys"}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    server = IdentityProvider()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def issuer(provider: IdentityProvider) -> Issuer:
    roles = {"staff": "operator", "heads": "lead", "bots": "service"}
    return Issuer(
        Oidc.model_validate(
            {"issuer": provider.address, "audience": "handraise", "role_claim": "realm_access.roles", "roles": roles}
        )
    )


async def test_a_token_becomes_a_person_with_the_strongest_role_it_names(
    provider: IdentityProvider, issuer: Issuer
) -> None:
    staff = await issuer.identity_of(provider.token())
    head = await issuer.identity_of(provider.token(realm_access={"roles": ["staff", "heads"]}))

    assert (staff.role, staff.id, staff.name) == ("operator", "oidc:7", "Grace")
    assert head.role == "lead"
    assert str(head.actor()) == "operator oidc:7"
    assert provider.asked == 1, "keys are kept, not asked for each time"


async def test_a_programs_token_carries_its_scopes(provider: IdentityProvider, issuer: Issuer) -> None:
    bot = await issuer.identity_of(provider.token(realm_access={"roles": ["bots"]}, scope="openid inbox admin"))

    assert (bot.role, bot.scopes) == ("service", ("inbox",))


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "somebody-else"},
        {"iss": "https://evil.example"},
        {"exp": 1},
        {"key": STRANGER},
        {"kid": "unknown"},
        {"key": "shared secret of sufficient length", "algorithm": "HS256"},
        {"key": None, "algorithm": "none"},
    ],
    ids=["audience", "issuer", "too old", "another key", "unknown key", "shared secret", "unsigned"],
)
async def test_a_token_that_is_not_valid_is_refused(
    provider: IdentityProvider, issuer: Issuer, changes: dict[str, Any]
) -> None:
    with pytest.raises(NotSignedIn, match="The token is not valid"):
        await issuer.identity_of(provider.token(**changes))


@pytest.mark.parametrize("token", ["a.b.c", "..", "é.é.é"])
async def test_what_is_no_token_is_refused(issuer: Issuer, token: str) -> None:
    with pytest.raises(NotSignedIn):
        await issuer.identity_of(token)


@pytest.mark.parametrize("claim", [{"realm_access": {"roles": ["other"]}}, {"realm_access": "staff"}])
async def test_somebody_without_a_role_here_is_refused(
    provider: IdentityProvider, issuer: Issuer, claim: dict[str, Any]
) -> None:
    with pytest.raises(NotPermitted, match=r"realm_access\.roles"):
        await issuer.identity_of(provider.token(**claim))


async def test_a_new_key_is_found_and_unknown_ones_do_not_make_us_ask_forever(
    provider: IdentityProvider, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await issuer.identity_of(provider.token())
    provider.keys.append({**ECAlgorithm.to_jwk(CURVE.public_key(), as_dict=True), "kid": "two", "use": "sig"})

    rotated = await issuer.identity_of(provider.token(CURVE, kid="two", algorithm="ES256"))
    for number in range(5):
        with pytest.raises(NotSignedIn):
            await issuer.identity_of(provider.token(kid=f"unknown {number}"))

    assert rotated.id == "oidc:7"
    assert provider.asked == 2
    monkeypatch.setattr(oidc, "REFETCH_SECONDS", 0)
    with pytest.raises(NotSignedIn):
        await issuer.identity_of(provider.token(kid="unknown"))
    assert provider.asked == 3


async def test_an_issuer_that_does_not_answer_is_unavailable_not_a_refusal(provider: IdentityProvider) -> None:
    settings = {"issuer": "http://127.0.0.1:1", "audience": "handraise", "roles": {"staff": "operator"}}
    for jwks_url in ("", "http://127.0.0.1:1/keys"):
        gone = Issuer(Oidc.model_validate({**settings, "jwks_url": jwks_url}))
        with pytest.raises(Unavailable):
            await gone.identity_of(provider.token())


@pytest.mark.real
async def test_a_person_of_the_issuer_answers_over_http(provider: IdentityProvider, tmp_path: Path) -> None:
    settings = {"issuer": provider.address, "audience": "handraise", "roles": {"staff": "operator"}}
    with_issuer = Settings(oidc=Oidc.model_validate(settings))
    good = {"Authorization": f"Bearer {provider.token(roles='staff')}"}
    bad = {"Authorization": f"Bearer {provider.token(STRANGER, roles='staff')}"}
    async with (
        serving(tmp_path, with_issuer) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        listed = await client.get("/api/v1/requests", headers=good)
        me = await client.get("/api/v1/me", headers=good)
        refused = await client.get("/api/v1/requests", headers=bad)
        stranger = await client.get("/api/v1/me", headers=bad)

    assert listed.status_code == 200
    assert me.json() == {"role": "operator", "id": "oidc:7", "name": "Grace"}
    assert (refused.status_code, refused.json()["code"]) == (401, "not_signed_in")
    assert stranger.json()["role"] == "nobody"


@pytest.mark.parametrize("missing", ["audience", "roles"])
def test_an_issuer_without_audience_or_roles_is_a_mistake(missing: str) -> None:
    settings = {"issuer": "https://id.example.com", "audience": "handraise", "roles": {"staff": "operator"}}
    with pytest.raises(Misconfigured, match=f"oidc.{missing} is not"):
        Issuer(Oidc.model_validate({name: value for name, value in settings.items() if name != missing}))
