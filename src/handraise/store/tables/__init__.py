"""One module for each noun that the database keeps."""
