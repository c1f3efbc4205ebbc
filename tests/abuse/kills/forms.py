"""Replies in the forms that game_annotate asks for, whatever the picture shows."""

from tests.loopback import Body, prompt_of


def game_reply(body: Body) -> str:
    """Three numbers, a colour or a card, by the words of the question."""
    asked = prompt_of(body).lower()
    if "[" in asked and "numbers" in asked:
        return "[3, 5, 9]"
    return "red" if "light" in asked or "lamp" in asked else "5"
