"""What a run tells a person: its funnel, its card and its page."""
