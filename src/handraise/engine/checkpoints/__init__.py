"""LangGraph's checkpoints in the store's own database, refused once a run was taken over."""
