"""What a picture's formal description is made of: facts, requests, replies, and a synthesis by rules."""
