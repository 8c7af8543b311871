"""Handoffs: several agents on one conversation, one active at a time."""
