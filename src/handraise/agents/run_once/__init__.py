"""At most once: the ledger around a tool, with or without a service."""
