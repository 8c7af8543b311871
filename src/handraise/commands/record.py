"""What is done from the command line is recorded too, signed with the name of the system's user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handraise.core.actors import Actor
    from handraise.core.log.installation import InstallationFact
    from handraise.store.store import Transaction


def current_user() -> Actor:
    """Return whoever runs this command."""
    import getpass

    from handraise.core.actors import Actor

    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number without a name
        name = ""
    return Actor(kind="operator", id=name, channel="cli")


def record_fact(tx: Transaction, fact: InstallationFact) -> None:
    """Add a fact to the installation's own log."""
    from handraise.core.log.chain import INSTALLATION

    tx.events.append(INSTALLATION, fact, by=current_user())
