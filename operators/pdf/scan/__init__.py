"""Scanned pages: a picture of a page becomes what a text layer would have given, runs, rules and figures."""
