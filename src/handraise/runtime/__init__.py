"""What any program needs of Python itself: ending tasks, naming objects, tracebacks. No domain, no framework."""
