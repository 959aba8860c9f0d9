"""What every game must satisfy, those of the package and one that a stranger has declared outside it."""
