"""HTTP itself: problems, headers, bodies, streams of server-sent events."""
