"""`python -m handraise` is the command line."""

from handraise.cli import main

main()
