"""What an agent developer imports. The only part of the library that knows LangChain."""
