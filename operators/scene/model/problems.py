"""The problems of a conversation, by their codes."""

from __future__ import annotations

from dataclasses import dataclass

#: Each code and what it says; the number is the law of the format that it is about.
CODES = {
    "row.shape": "a line is no conversation: a part is missing or of another type",
    "message.roles": "the messages are not system, then user and assistant in turn",
    "message.tags": "a message lacks a part, has one twice, or in another order",
    "replay.state": "(1) replaying the calls does not give the stated scene of a turn",
    "replay.final": "(1) replaying all calls does not give the stated final scene",
    "call.shape": "(1) a call is not id, name and arguments, or its id is repeated in the chain",
    "call.unknown_tool": "(1) there is no such tool",
    "call.arguments": "(1) arguments are missing, unknown or of another type",
    "call.no_retrieval": "(1) nobody says which object was put, or it is not what a call asks for",
    "call.no_such_object": "(2) the object is not in the room, or more than once",
    "jid.repeated": "(2, 11) two objects of one room have the same id",
    "chain.start": "(3) a multi-turn chain changes nothing of its first room, or a single-turn one has an empty one",
    "chain.terminate": "(4) not exactly one terminate, alone in the last turn",
    "chain.turns": "the number of turns is not what the metadata says",
    "images.count": "(5) not as many <image> as images, or not one a user turn",
    "images.names": "(5) the images are not images/ID/step_0.png to step_n.png",
    "forms.exact": "(6) a scene does not come back exactly from its other form",
    "text.placeholder": "(8) a placeholder is left in a text or a scene",
    "call.no_effect": "(10) a call leaves the room as it was",
    "call.twice": "(10) two calls of one turn are about the same object",
    "asset.lost": "(11) an instance id has no asset id beside it",
    "rounding": "(12) a number has more digits than its kind has",
    "image.missing": "(13) a picture is not there or no PNG",
    "image.other": "(13) a picture does not show the scene of its turn",
    "text.empty": "a turn has no reasoning or no conclusion",
    "claim.false": "a claim of a text is disproved, or the number before it is not proven to be its value",
    "claim.other": "a claim is not what the row states of it: its value, its verdict, or its place",
    "text.conclusion": "the conclusion tells of an act that no call does",
    "instruction.object": "the instruction asks for furniture that the finished room does not have",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, under one of :data:`CODES`, in one sentence."""

    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
