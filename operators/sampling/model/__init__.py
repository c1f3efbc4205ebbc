"""What is known of an attempt and of its question."""
