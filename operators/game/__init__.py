"""Operators that turn game screenshots into EasyR1 data."""
