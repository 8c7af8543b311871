"""Handraise's own API, one module for each noun."""
