"""What every room of the family stands on: columns and records, codes of checks, languages."""
