"""When enough attempts are made, and what they say of a question's rate of success."""
