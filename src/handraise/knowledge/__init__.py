"""What the team knows: search, capture of people's answers, and curation."""
