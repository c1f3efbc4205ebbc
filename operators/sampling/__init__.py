"""Questions with a short answer become reasonings that reach it: attempts, verdicts, rates, and training rows."""
