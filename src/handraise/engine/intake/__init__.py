"""Intake: from a paused graph to requests that people can answer."""
