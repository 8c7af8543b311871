"""The help-desk routes: questions of agents, with the answers of human agents."""
