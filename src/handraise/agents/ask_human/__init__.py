"""Asking a person: the tool by which an agent gets help backstage, its texts and its answers."""
