"""Effects: what a tool really did, and the ledger that an engine offers to record it."""
