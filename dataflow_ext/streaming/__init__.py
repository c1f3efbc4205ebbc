"""Runs part by part: rows that do not fit into memory flow through in parts, each of them a file that is remembered."""
