"""The Batch API as a back end."""
