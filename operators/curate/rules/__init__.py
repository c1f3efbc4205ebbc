"""What rules find in the text of a question: markers, cues, gaps, furniture, likeness."""
