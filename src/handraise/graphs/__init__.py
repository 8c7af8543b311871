"""What any program that drives a LangGraph graph knows of its stops: the engine does, and so does the terminal."""
