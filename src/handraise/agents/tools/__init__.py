"""Tools behind a person, by decorator; and effects, which run once though nobody reviews them."""
