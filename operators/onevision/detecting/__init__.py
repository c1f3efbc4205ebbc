"""Objects looked for by a detector behind HTTP: four forms of server, one form of result."""
