"""How people and agents work together, in numbers: counted from the event log, exactly once."""
