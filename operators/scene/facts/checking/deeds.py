"""Actions that no single verb tells: "I give the lamp a new place", "the bed has to leave", "the room loses a chair".

A sentence is matched with its mentions as slots, so that a pattern says where the object stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.turns_of_phrase import patterns
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem

_M = (
    r"(?:(?:the|a|an|its|this|that|my|one|each|both|old|present|current|existing|"
    r"[a-z-]+ly) ){0,3}(?:[a-z-]+ ){0,2}?<(?P<m>\d+)>"
)
_S = r"<(?P<m>\d+)>"
_NEW = (
    r"(?:an?(?:other| new| different| fresh| better| more \w+| slight| little| small| quarter| half| full|)|"
    r"new|different|other|some)"
)
_LITTLE = r"(?:a (?:little|bit|touch|tad|fraction|shade) |slightly |somewhat |much |noticeably |now |far )*"
_SIZED = r"(?:bigger|larger|smaller|wider|narrower|taller|shorter|deeper|longer|shallower|lower|more compact|slimmer)"
_PLACE = r"(?:[a-z-]+ )?(?:position|place|spot|location|home|shift|nudge|push|shove|pull)"
_TURN = r"(?:[a-z-]+ )?(?:orientation|direction|heading|angle|turn|quarter-turn|half-turn|twist|rotation|spin|swivel)"
_SIZE = r"(?:[a-z-]+ )?(?:size|dimensions|proportions|width|height|depth|scale|measurements?|footprint)"
_NEXT = r"(?: (?:new|another|other|different))*"
_GETS = (
    r"(?:gets|receives|takes(?: on)?|is given|obtains|finds|needs and gets|will get|will receive|assumes|"
    r"adopts|is assigned)"
)
_GIVE = r"(?:give|giving|hand|grant|assign|find|offer|allot|lend)(?:s|ing)?"
_DONE = (
    r"(?=\s*(?:$|[.,;:)]|\b(?:and|as|because|since|so|to|for|but|from|in this|too|altogether|entirely|"
    r"completely|this)\b))"
)


def _firsts(pattern: str) -> frozenset[str] | None:
    """The words with which a pattern may begin, if it does not begin with a slot."""
    head = re.match(r"\\b(?:\(\?:([^()]+)\)|([a-z]+))", pattern)
    stems = re.findall(r"[a-z]+", (head[1] or head[2]).replace("\\w", "")) if head else []
    return frozenset(stem + end for stem in stems for end in ("", "s", "e", "es", "ing")) if head else None


_OUT = frozenset(("remove_object", "replace_object"))
_SCALE = frozenset(("scale_object", "replace_object"))
_SWAP = frozenset(("replace_object",))
_PUSH = frozenset(("move_object",))
_SPIN = frozenset(("rotate_object",))

_TOOLS = {"move_object": _PUSH, "rotate_object": _SPIN, "scale_object": _SCALE, "replace_object": _SWAP,
          "remove_object": _OUT}  # fmt: skip

_DEEDS: list[tuple[frozenset[str], re.Pattern[str], frozenset[str] | None]] = [
    (tools, re.compile(pattern), _firsts(pattern))
    for tools, pattern in (
        (_OUT, rf"{_S} (?:itself )?(?:has to|must|is to|can|will|may now|needs to|is going to|should now) "
               r"(?:go|leave|disappear|vanish|make way|make room|give way)" + _DONE),
        (_OUT, rf"{_S} (?:now |therefore |thus |then )?(?:leaves (?:the|this) (?:room|scene|space)|disappears|vanishes|"
               rf"departs|is (?:now )?(?:out|gone)|goes out|gets the boot){_DONE}"),
        (_OUT, rf"{_S} (?:makes|make|making) (?:way|room)\b"),
        (_SWAP, rf"{_S} (?:gives|give|yields|cedes)(?: its)? (?:way|place|up its place|"
                rf"its spot)? ?to\b(?! (?:eat|work|sit|sleep|walk))"),
        (_SWAP | _PUSH, rf"{_S} (?:trades|changes|swaps|exchanges) places\b"),
        (_SWAP, rf"{_S} (?:turns into|becomes) an? (?:[a-z-]+ )?<\d+>"),
        (_SWAP, rf"(?:takes|take|taking|fills?|assumes?) (?:the|over the) (?:place|position|spot|role) of {_M}"),
        (_SWAP, rf"in (?:the )?(?:place|stead|lieu) of {_M}"),
        (_SCALE, rf"{_S} (?:now )?(?:becomes|become|turns|grows|gets|is made|is getting|ends up) {_LITTLE}{_SIZED}\b"),
        (_SCALE, rf"\b(?:make|makes|making|made) {_M} {_LITTLE}{_SIZED}\b"),
        (_SCALE, rf"{_S} (?:grows|shrinks|swells|is (?:grown|cut down|scaled))\b(?! (?:in|into|on|from|along))"),
        (_PUSH, rf"{_S} (?:now )?{_GETS} {_NEW}{_NEXT} {_PLACE}\b"),
        (_SPIN, rf"{_S} (?:now )?{_GETS} {_NEW}{_NEXT} {_TURN}\b"),
        (_SCALE, rf"{_S} (?:now )?{_GETS} {_NEW}{_NEXT} {_SIZE}\b(?! of)"),
        (_PUSH | {"add_object"}, rf"\b{_GIVE} {_M} {_NEW}{_NEXT} {_PLACE}\b"),
        (_SPIN, rf"\b{_GIVE} {_M} {_NEW}{_NEXT} {_TURN}\b"),
        (_SCALE, rf"\b{_GIVE} {_M} {_NEW}{_NEXT} {_SIZE}\b"),
        (_SWAP, rf"\b{_GIVE} {_M} {_NEW} (?:successor|replacement|substitute)\b"),
        (_PUSH | _SWAP, rf"\b(?:change|changes|changing|alter|alters|correct|corrects|adjust|adjusts|update|"
                        rf"updates) the (?:place|position|"
                        rf"spot|location) of {_M}"),
        (_SPIN, rf"\b(?:change|changes|changing|alter|alters|correct|corrects|adjust|adjusts|fix|"
                rf"fixes) the (?:orientation|direction|angle|"
                rf"heading|rotation) of {_M}"),
        (_SCALE, rf"\b(?:change|changes|changing|alter|alters|correct|corrects|adjust|adjusts|reduce|reduces|"
                 rf"increase|increases) the (?:size|"
                 rf"scale|dimensions|proportions|width|height|depth) of {_M}"),
        (_PUSH, rf"{_S} (?:changes|switches) (?:its )?(?:place|position|sides?|location)\b"),
        (_SPIN, rf"{_S} (?:changes|switches) (?:its )?(?:orientation|direction|heading)\b"),
        (_SCALE, rf"{_S} changes (?:its )?(?:size|scale|dimensions|proportions)\b"),
        (_OUT, r"\b(?:let|lets|letting) go of " + _M),
        (_OUT, rf"\b(?:part|parts|parting|dispens\w+|do|does|doing) (?:with|without) {_M} ?(?:from now on|"
               rf"from here on)?{_DONE}"),
        (_OUT, rf"\bgive {_M} up\b|\bgive up {_M.replace('?P<m>', '?P<n>')}"),
        (_OUT, rf"\b(?:room|scene|space|layout|corner|side|bedroom|office|kitchen|i|we) (?:now |then |thereby )?"
               rf"(?:loses?|drops?|sheds?|does without|is freed of|gets rid of) {_M}"),
        (_OUT, rf"\b(?:sends?|kicks?|carry|carries|throws?|clears?|takes?) {_M} (?:out|away|off)\b"),
        (_OUT, rf"\b(?:says?|bid|bids) (?:goodbye|farewell) to {_M}"),
        (_OUT, rf"\bwithout {_M} from now on\b"),
        (_OUT, rf"\b(?:the|a) (?:removal|departure|elimination|disposal) of {_M}"),
        (_PUSH, rf"\b(?:the|an?) (?:[a-z-]+ )?(?:relocation|displacement|repositioning) of {_M}"),
        (_SPIN, rf"\b(?:the|an?) (?:[a-z-]+ )?(?:rotation|reorientation) of {_M}"),
        (_PUSH, rf"\b(?:get|gets|getting|bring|brings|bringing) {_M} {_LITTLE}(?:closer|nearer|further|farther|"
                rf"over|out of the way)\b"),
        (_SWAP, rf"\b(?:trade|trades|trading) {_M} (?:for|in)\b"),
        *((_TOOLS[tool], pattern) for tool, pattern in patterns(_S, _M)),
    )
]  # fmt: skip
_UNREAL = re.compile(
    r"\b(?:would|could|might|may(?! now)|if|unless|later|future|eventually|instead of|rather than|avoid\w*|"
    r"no (?:need|reason|point)|"
    r"not|never|previous\w*|earlier|already|possible|cannot|user|instruction|request\w*|nothing|neither|nor|"
    r"nobody|was|were|"
    r"had|has been|have been|enough|option|alternative|next turn|next step)\b|n't\b"
)


def deed_problems(sentence: Sentence, found: Sequence[Mention], world: World, code: str) -> list[Problem]:
    """The actions that such phrases tell and no call does."""
    problems = []
    for tools, mention, words in _told(sentence, found):
        done = any(action.name in tools and action.jids & mention.ids for action in world.actions)
        if mention.ids and not done:
            problems.append(Problem(code, f'"{words}" is done by no call in "{sentence.text[:160]}"'))
    return problems


def _told(sentence: Sentence, found: Sequence[Mention]) -> Iterator[tuple[frozenset[str], Mention, str]]:
    if not any(m.families is None for m in found):
        return
    text, ends = _slotted(sentence, found)
    words = {token.text for token in sentence.tokens}
    for tools, pattern, firsts in _DEEDS:
        if firsts is not None and firsts.isdisjoint(words):
            continue
        for match in pattern.finditer(text):
            group = match.groupdict()
            number = int(group.get("m") or group.get("n") or 0)
            begin = max((end for end in ends if end <= match.start()), default=0)
            close = min((end for end in ends if end >= match.end()), default=len(text))
            if not _UNREAL.search(text[begin:close]):
                told = re.sub(r"<(\d+)>", lambda slot: found[int(slot.group(1))].words, match.group())
                yield tools, found[number], told


def _slotted(sentence: Sentence, found: Sequence[Mention]) -> tuple[str, list[int]]:
    """The sentence with its mentions as numbers in brackets, and where its clauses end in that text."""
    pieces, done, shift, moved = [], 0, 0, []
    for number, mention in enumerate(found):
        if mention.families is not None:
            continue
        start, end = sentence.tokens[mention.start].start, sentence.tokens[mention.end - 1].end
        slot = f"<{number}>"
        pieces += [sentence.text[done:start], slot]
        done, shift = end, shift + len(slot) - (end - start)
        moved.append((end, shift))
    pieces.append(sentence.text[done:])
    ends = [
        clause.end + next((by for at, by in reversed(moved) if at <= clause.end), 0) for clause in sentence.clauses[:-1]
    ]
    return "".join(pieces), ends
