"""Every setting of the service, with its meaning, its default and its bounds. `sources` reads them."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from handraise.core.masking import SENSITIVE_NAMES

MappedRole = Literal["operator", "lead", "admin", "service"]
ModulePath = Annotated[str, Field(pattern=r"^[^:\s]+:[^:\s]+$")]
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ClientLimits(_Group):
    """What one client may take of the service."""

    body_bytes: int = Field(256 * 1024, ge=1024, le=64 * 1024 * 1024)
    """The largest request body; a larger one is answered 413."""

    frame_bytes: int = Field(64 * 1024, ge=1024, le=16 * 1024 * 1024)
    """The largest WebSocket frame from a client; a larger one closes the socket."""

    connections_per_client: int = Field(64, ge=1, le=100_000)
    """How many live streams and sockets one client may hold open; one more is answered 429."""

    session_requests_per_minute: int = Field(600, ge=1, le=1_000_000)
    """How many requests a minute a session, or an address that is not signed in, may send."""

    requests_per_minute: int = Field(6000, ge=1, le=1_000_000)
    """How many requests a minute an operator or an API key may send."""

    stall_seconds: int = Field(30, ge=1, le=600)
    """How long the reader of a live stream may take nothing before it is cut off."""

    stream_seconds: int = Field(1800, ge=1, le=7 * 24 * 3600)
    """How long a live stream may last before its reader must come back, and prove again who it is."""


class EngineSettings(_Group):
    """How much agents may ask of people, and how this process runs them."""

    question_deadline_seconds: int = Field(300, ge=0, le=30 * 24 * 3600)
    """How long a question waits for an answer when it brings no deadline of its own; 0 is without end."""

    approval_deadline_seconds: int = Field(0, ge=0, le=30 * 24 * 3600)
    """How long a tool call waits for a decision when it brings no deadline of its own; 0 is without end."""

    open_requests_per_session: int = Field(20, ge=1, le=1000)
    """How many requests of one session may be open at once; the run that asks for one more fails."""

    requests_per_session: int = Field(500, ge=1, le=1_000_000)
    """How many requests one session may open in all its time; the run that asks for one more fails."""

    requests_per_run: int = Field(50, ge=1, le=10_000)
    """How many requests one run may open; it fails when it asks for one more."""

    runs_at_once: int = Field(16, ge=1, le=1000)
    """How many runs this process drives at the same time, each in a session of its own; the others wait."""

    lease_seconds: int = Field(15, ge=3, le=600)
    """How long another process waits before it takes over the runs of one that has gone silent."""

    grace_seconds: int = Field(10, ge=0, le=600)
    """How long a process that is told to stop waits for tools that are at work."""

    sweep_seconds: int = Field(5, ge=1, le=30)
    """How often, at the least, a process looks for deadlines that have passed."""


class Oidc(_Group):
    """Sign-in with tokens of an OpenID Connect issuer, in place of or beside our own keys."""

    issuer: str = Field("", pattern=r"^(https?://\S+)?$")
    """The issuer's address, as its tokens name it in `iss`; empty turns this off."""

    audience: str = ""
    """What tokens must name in `aud`; needed when an issuer is set."""

    jwks_url: str = Field("", pattern=r"^(https?://\S+)?$")
    """Where the issuer's keys are; empty asks the issuer's discovery document."""

    role_claim: str = Field("roles", min_length=1)
    """The claim that says what somebody may do; dots lead into objects, as in `realm_access.roles`."""

    name_claim: str = Field("name", min_length=1)
    """The claim to show as a person's name."""

    roles: dict[str, MappedRole] = {}
    """From a value of the role claim to one of our roles; whoever has none of them is refused."""


class Channels(_Group):
    """Telling people outside the console about new, urgent and soon-due requests."""

    webhooks: tuple[Annotated[str, Field(pattern=r"^https?://\S+$")], ...] = ()
    """Addresses that are sent every notice as JSON, signed."""

    webhook_secret: str = Field("", pattern=r"^(.{16,})?$")
    """What webhooks are signed with, at least 16 characters; needed when there are webhooks."""

    webhooks_may_be_private: bool = False
    """Whether a webhook may be on this machine or in a private network."""

    apprise: tuple[str, ...] = ()
    """Apprise addresses, such as `slack://...` or `mailto://...`, that are sent every notice as text."""

    tell: tuple[Literal["new", "urgent", "soon_due"], ...] = ("urgent", "soon_due")
    """What to tell: every new request, only urgent ones, those whose deadline is near."""


class KnowledgeSettings(_Group):
    """How the knowledge base is kept."""

    capture: Literal["draft", "publish", "off"] = "draft"
    """What becomes of an answer that fills a gap: a draft for somebody to publish, an entry at once, or nothing."""

    embeddings: str = ""
    """Search by meaning too, with this model, as provider:model; empty searches by words alone."""


class Audit(_Group):
    """What becomes of the audit trail."""

    retention_days: int = Field(0, ge=0, le=36_500)
    """After how many days without a word what was said in a session is forgotten; 0 is never."""


class Logs(_Group):
    """How the service tells what it does."""

    format: Literal["text", "json"] = "text"
    """Lines for people, or a JSON object in each line."""


class Tracing(_Group):
    """OpenTelemetry traces of agents, tools and reviews; needs `pip install 'handraise[otel]'`."""

    enabled: bool = False
    """Whether spans are sent, over OTLP, to where the usual OTEL_EXPORTER_OTLP_* variables say."""


class Settings(_Group):
    """What `handraise serve` needs to know."""

    agents: dict[Annotated[str, Field(pattern=r"^[\w.-]{1,64}$")], ModulePath] = {}
    """The agents to serve: what to call each, and where it is, as module:attribute. The first is the default."""

    host: str = "127.0.0.1"
    """The address to listen on; any but this machine's own needs people or an issuer to be set up first."""

    port: int = Field(2024, ge=0, le=65_535)
    """The port; the next free one if it is taken, any if it is 0."""

    database: str = Field("sqlite:///handraise.db", min_length=1)
    """Where everything is kept: `sqlite:///file.db` or `postgresql://user@host/name`."""

    hosts: tuple[str, ...] = LOOPBACK
    """The names under which browsers and programs reach the service; requests for any other name are refused."""

    public_url: str = Field("", pattern=r"^(https?://[^\s/]+)?$")
    """The address that people use when a proxy stands in front, for printed links; its name is always accepted."""

    anonymous: Literal["loopback", "always", "never"] = "loopback"
    """Whether customers may start a session without credentials: only on this machine, always, or never."""

    sign_in_hours: int = Field(12, ge=1, le=24 * 90)
    """How long an operator stays signed in."""

    link_minutes: int = Field(15, ge=1, le=24 * 60)
    """How long a one-time sign-in link works."""

    session_days: int = Field(30, ge=1, le=3650)
    """How long a customer's session token works."""

    customer_confirms: tuple[str, ...] = ()
    """The tools whose calls the customer confirms, by name or glob; an operator decides all others."""

    metrics: Literal["loopback", "always", "key"] = "loopback"
    """Who may read `/metrics` without a key of scope `insights`: only this machine, everyone, or nobody."""

    help: dict[Literal["zh", "en"], str] = {}
    """Where customers can help themselves, in each language: what the fallback `self_service` tells them."""

    sensitive: tuple[str, ...] = SENSITIVE_NAMES
    """Arguments with such names, or globs, are masked for people everywhere; a tool's schema can declare more."""

    audit: Audit = Audit()
    """What becomes of the audit trail."""

    logs: Logs = Logs()
    """How the service tells what it does."""

    tracing: Tracing = Tracing()
    """OpenTelemetry traces."""

    engine: EngineSettings = EngineSettings()
    """How much agents may ask, and how they are run."""

    knowledge: KnowledgeSettings = KnowledgeSettings()
    """How the knowledge base is kept."""

    channels: Channels = Channels()
    """Telling people outside the console."""

    limits: ClientLimits = ClientLimits()
    """What one client may take."""

    oidc: Oidc = Oidc()
    """Sign-in with an OpenID Connect issuer."""

    @property
    def metrics_are_open(self) -> bool:
        """Whether `/metrics` needs no key. A service that has a public name is not this machine's alone."""
        alone = is_loopback(self.host) and not self.public_url
        return self.metrics == "always" or (self.metrics == "loopback" and alone)
