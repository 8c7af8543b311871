"""Telling operators outside the console: signed webhooks, and everything that Apprise reaches."""
