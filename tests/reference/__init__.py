"""A second, naive reading of the rule documents, to compare the package with; it shares no code with it."""
