"""What stands in rooms: kinds of furniture, readable names, and a catalogue of pieces."""
