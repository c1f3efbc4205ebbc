"""The built-in parser for PDFs with a text layer."""
