"""What a user says who wants a room: written by rules, and checked against the room."""
