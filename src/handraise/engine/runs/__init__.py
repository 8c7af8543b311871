"""Running agents: workers claim runs, runners drive them, and what they did is recorded once."""
