"""What a room, a chain and a conversation are."""
