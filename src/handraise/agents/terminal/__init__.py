"""Reviewing in the terminal, without a service."""
