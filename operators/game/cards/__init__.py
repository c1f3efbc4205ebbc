"""Which of three cards a result picture marks as the correct one, by what differs from the question picture."""

from operators.game.cards.looking import look_at_card

__all__ = ["look_at_card"]
