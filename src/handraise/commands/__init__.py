"""The commands of the command line, one file for each group. Each imports what it needs when it runs."""
