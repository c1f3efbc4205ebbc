"""What makes a sample a good one: every rule once, for generating samples and for checking files."""
