"""Rooms from files."""
