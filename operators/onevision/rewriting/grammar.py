"""As much English grammar as it takes to say plainly what was said with a hedge."""

from __future__ import annotations

import re

_SINGULAR = re.compile(r"(?:it|this|that|he|she|there|each|everyone|everybody|someone|one|which|who|what)\Z")
_PLURAL = re.compile(r"(?:they|these|those|we|you|both|many|several|few|all|people|men|women|children|i)\Z")
_NUMBER = re.compile(r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\Z")
#: What ends the head of a subject: "the colour | of the cars".
_HEAD_ENDS = re.compile(
    r"\s(?:of|in|on|at|with|near|from|to|for|by|between|behind|beside|under|above|below|next|that|which|who|wearing|holding|"
    r"standing|sitting|shown|labeled|labelled)\b"
)
_CLAUSE = re.compile(r"[,;:(]|\b(?:and|but|so|because|since|while|as|that|if|therefore|thus|hence)\s(?=\S+\s)")
_WORDS = re.compile(r"[a-z0-9'’-]+")
_S_SINGULAR = re.compile(r"(?:ss|us|is|ics|news|lens|series|species|bus|gas|glass)\Z")
_ES = re.compile(r"(?:s|sh|ch|x|z|o)\Z")
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}


def is_plural(subject: str) -> bool | None:
    """Whether what stands before a verb is a subject in the plural; None if that is not clear.

    >>> is_plural("The color of the cars"), is_plural("So the two men"), is_plural("The cat and the dog"), is_plural("")
    (False, True, True, None)
    """
    clause = _CLAUSE.split(subject.lower()[-200:])[-1]
    whole = subject.lower()[-200:]
    if re.search(r"\b(?:the|a|an|this|his|her)\s\S+\sand\s(?:the|a|an|this|his|her|another)\s\S+\s*\Z", whole):
        return True
    words = _WORDS.findall(_HEAD_ENDS.split(clause)[0])
    if not words:
        return None
    if _PLURAL.match(words[0]) or any(_NUMBER.match(word) for word in words[:3]):
        return True
    if words[0] in ("this", "that", "a", "an", "each", "every", "one"):
        return False
    last = words[-1]
    if _SINGULAR.match(last) or _PLURAL.match(last):
        return _PLURAL.match(last) is not None
    return last.endswith("s") and not _S_SINGULAR.search(last)


def be(plural: bool) -> str:
    """The form of "be" in the present."""
    return "are" if plural else "is"


def conjugated(verb: str, plural: bool) -> str:
    """A verb's form in the present, third person.

    >>> conjugated("carry", False), conjugated("watch", False), conjugated("be", True), conjugated("hold", True)
    ('carries', 'watches', 'are', 'hold')
    """
    if plural:
        return "are" if verb == "be" else verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "o", "u", ""):
        return verb[:-1] + "ies"
    return verb + ("es" if _ES.search(verb) else "s")
