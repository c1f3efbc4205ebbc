"""Whether there are as many things as a sentence says, and whether what it names is there at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.resolving import fits
from operators.scene.facts.checking.words import AFTER, NUMBER_WORDS, VERBS
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem

#: After a mention: which ones are meant, so that fewer than all may be counted.
_WHICH = re.compile(
    r"^[\s,]*(?:\w+ly )?(?:by|near|beside|along|next|at|against|on|in|around|that|which|who|facing|under|"
    r"flank\w*|closest|nearest|of|"
    r"between|to|from|with|whose|overlap\w*|behind|opposite|stand\w*|sit\w*|face\w*|are|is|float\w*|\(|"
    r"intersect\w*|collid\w*|"
    r"surround\w*|lin\w+|touch\w*|remain\w*|will|hang\w*)\b"
)
_ALL = re.compile(r"\b(?:there (?:are|is|'s)|has|have|contains?|holds?|holding|with|counts?|in total|in all|"
                  r"altogether|includes?|comprises?|"
                  r"consists?|exactly|only|just|total|now has|furnished|so far|own\w*|sees?|seen|visible|"
                  r"shows?|(?:room|scene|space|layout|arrangement|inventory|ensemble|collection|"
                  r"population) of)\b")  # fmt: skip
#: After a thing: it is the only one.
_ONE_ALONE = re.compile(
    r"^\s*,? ?(?:here |in (?:the|this) room )?,? ?(?:(?:and|but) )?(?:no (?:more|others?|second one|further)|"
    r"not more|nothing "
    r"more|only|alone)\s*(?:$|[.,;])"
)
_UNIQUE = re.compile(
    r"^\s*(?:is|remains|stands) (?:(?:the|its) (?:only|sole) (?:one|piece|item|object|"
    r"____)(?: (?:of its (?:kind|sort|type)|here|"
    r"in (?:the|this) (?:\w*room|scene)))?|alone of its (?:kind|sort|type)|one of a kind|unique in (?:the|"
    r"this) room)\s*(?:$|[.,;])"
)
_NO_SECOND = re.compile(
    r"\b(?:there (?:is|are)|room has|i (?:see|find)|contains|holds) (?:no|not a|not any) (?:second|other|"
    r"further|additional)\s*$"
)
_NARROWS = re.compile(
    r"^[\s,]*(?:of furniture )?(?:that|which|by|near|along|against|around|overlap\w*|outside|float\w*|on (?:the|"
    r"top)|at(?! present| the moment| this| all)|beside|next|with|under)\b"
)
#: After a mention: all of them are meant.
_PRESENT = re.compile(
    r"^\s*(?:(?:of furniture|things?) )?(?:(?:(?:is|are|can be|will be|have been|has been) (?:now |all |"
    r"currently |then |just )?"
    r"(?:there\b|here\b|in place|in number|to be seen|seen|found|enough|placed|all\b|what (?:the|there)|available)|"
    r"is all\b)|(?:share|fill|furnish|populate|occup[iy]|crowd|make up)\w* (?:the|this) (?:floor|space|\w*room|scene)|"
    r"(?:(?:is|are|can be|will be|stands?) (?:now |all |currently |then )?)?(?:present|in (?:the|"
    r"this) (?:\w*room|scene|space|office|"
    r"kitchen|study|picture|plan)|(?:remain|stay|are left|be there|be left|left)(?=\s*(?:$|[.,;]))|visible|"
    r"in it|in total|in all|altogether|at present))\b"
)
#: Before a number of things at the end of a clause: it is the total.
_COMES_TO = re.compile(r"\b(?:makes?|leaves?|brings?|becomes?|to|at|total\w*|count\w*|tally)\b[^,]{0,24}$")
#: "The count rises to 12"; "the number of chairs is four".
_TOTAL = re.compile(
    r"\b(?:total|count|number|tally|sum|inventory|headcount)(?: of (?:the )?(?:(?:all|"
    r"its) )?(?P<what>[a-z_-]+(?: ____\w*)?))?(?: of)?"
    r"(?: (?:objects|pieces|items|things|in the room|here|now|then|thus|thereby|so far|at present|currently|"
    r"furniture)){0,3}"
    r" (?:is|becomes|reaches|equals|(?:stands|remains|stays|is) at|comes to|amounts to|(?:rises|goes|drops|"
    r"climbs|falls|grows|goes up|goes "
    r"down|increases|decreases|is up|is down) to)(?: now| then| exactly| just)? (?P<n>\d+|[a-z-]+)\b"
    r"(?! (?:m|metres?|meters?|cm|percent|degrees|per|square)\b)(?!\.\d)"
)
_NUMBER_OF = re.compile(
    r"^\s*,? ?(?P<of>\d+|[a-z-]+) (?:of (?:them|these|those|which)|in (?:all|number|total)|altogether|all told|"
    r"strong)\b|"
    r"^\s*(?:now |then |thus )?(?:numbers?|totals?|adds? up to|sums? up to|comes? to|amounts? to)(?: just| exactly)? "
    r"(?P<sum>\d+|[a-z-]+)\b(?! (?:m|metres?|meters?|cm|percent|degrees|per|square)\b)(?!\.\d)|"
    r"^\s*,? ?(?:there are|we have|i (?:see|count|find)|the room has) (?P<here>\d+|[a-z-]+)\s*(?:$|[.,;])|"
    r"^\s*(?:are|come|stand)(?: just| only| exactly)? (?P<n>\d+|[a-z-]+) in (?:number|all|total)\b|"
    r"^\s*number (?P<k>\d+|[a-z-]+)\b"
)
_OF_THEM = re.compile(r"(?:^|[,;] )of (?:the |such )?$")
#: Before what is counted: "four of the pieces are", "four is the number of".
_PREDICATE = re.compile(
    r"\b(?P<n>\d+|[a-z-]+) of (?:the|its|these|all)(?: \w+)? (?:pieces|objects|items|things|____\w*) (?:here )?are $|"
    r"\b(?P<k>\d+|[a-z-]+) is the (?:total |exact )?(?:number|count|total|tally) of (?:the |its |all )*$"
)
#: "A twelve-piece arrangement", "that brings the count to 12".
_PIECE = re.compile(
    r"\b(?P<n>\d+|[a-z]+) ?- ?(?:piece|object|item|element) (?:arrangement|room|scene|layout|composition|"
    r"interior|inventory|"
    r"furnishing|collection|ensemble)\b"
)
_BROUGHT = re.compile(
    r"\b(?:bring|tak|rais|lower|reduc|put|keep|leav|set|get|cut|drop|increas|decreas)\w* (?:the |"
    r"its )?(?:object |total |overall )?"
    r"(?:total|count|number|tally|sum|inventory)(?: of (?:objects|pieces|items|things|furniture))? (?:up |down |back )?"
    r"(?:to|at) (?:just |exactly )?(?P<n>\d+|[a-z-]+)\b(?! (?:____|m|percent)\b)(?!\.\d)"
)
_SOME = re.compile(
    r"\b(?:other|remaining|of|another|more|additional|first|last|next|these|those|new|extra|further|else)\b"
)
_GONE = re.compile(
    r"^\s*(?:is|are|remains?|still)(?: still| currently| completely| entirely)? (?:missing|absent|nowhere\b.*|"
    r"not (?:there|"
    r"present|here|in(?=\s*(?:$|[.,;]|(?:the|this) (?:\w*room|scene|space|picture)\b))))\b"
)
_HERE = re.compile(r"^\s*(?:yet|in (?:the|this) (?:room|scene|space|bedroom|picture)|here|at all|so far|present|"
                   r"anywhere|to be (?:seen|found)|at present|currently|whatsoever|for now|at the "
                   r"moment)?\s*(?:$|[.,;:!)]|\b(?:and|but|so|or|while|nor|which|because)\b)")  # fmt: skip
_HAS_NO = re.compile(r"(?:\b(?:lacks?|lacking|missing|without|there (?:isn't|is not|are no|aren't)|does not "
                     r"(?:have|contain)|doesn't (?:have|contain)|has no|have no|no|not have|not contain|devoid "
                     r"of)\b)(?: (?:a|an|any|yet|the|single))?\s*"
                     r"(?:(?!(?:between|of|with|from|to|on|in|at|by|for|and|or|is|are|the|contact|overlap|"
                     r"longer)\b)[a-z-]+ ){0,2}$")  # fmt: skip


def object_problems(sentence: Sentence, found: Sequence[Mention], world: World) -> list[Problem]:
    """Things that are named and not there, or said to be missing and there."""
    problems = []
    for mention in found:
        if mention.families is not None or mention.kind is None:
            continue
        place, end = sentence.tokens[mention.start].start, sentence.tokens[mention.end - 1].end
        clause = sentence.clause_at(place)
        head, tail = sentence.text[clause.start : place], sentence.text[end : clause.end]
        denied = bool(_HAS_NO.search(head) or _GONE.search(tail)) and not sentence.asks
        if not mention.ids:
            if not (denied or mention.denied or mention.wished or sentence.asks) and not _is_foreseen(mention, world):
                problems.append(Problem("text.object", f'there is no {mention.words} for "{sentence.text[:160]}"'))
        elif denied and (_GONE.search(tail) or _HERE.search(tail)) and _is_plain(mention, head):
            stays = any(jid in world.before.by_id and jid in world.after.by_id for jid in mention.ids)
            if stays:
                problems.append(Problem("text.object", f'there is a {mention.words}, against "{sentence.text[:160]}"'))
    return problems


def count_problems(sentence: Sentence, found: Sequence[Mention], world: World) -> list[Problem]:
    """Numbers of things that are not so."""
    problems: list[Problem] = []
    if sentence.asks:
        return problems
    for mention in found:
        if (
            mention.count is None
            or mention.wished
            or mention.exact
            or (mention.kind is None and mention.families is None)
        ):
            continue
        if mention.count_word in ("a", "an"):
            continue
        if not _is_counted(sentence, mention, world):
            problems.append(
                Problem("text.count", f'"{mention.count_word} {mention.words}" is not so in "{sentence.text[:160]}"')
            )
    return problems + _lone_problems(sentence, found, world) + _total_problems(sentence, found, world)


def _lone_problems(sentence: Sentence, found: Sequence[Mention], world: World) -> list[Problem]:
    """Things that are told to be the only ones of their kind: "the desk is unique", "there is no second desk"."""
    problems = []
    for m in found:
        if m.kind is None or m.plural or m.exact or m.wished:
            continue
        head, tail = sentence.plain[: sentence.tokens[m.start].start], sentence.plain[sentence.tokens[m.end - 1].end :]
        if not (_UNIQUE.match(tail) or (_NO_SECOND.search(head) and _HERE.match(tail))):
            continue
        rooms = [world.before, world.after]
        least = min(sum(jid in room.by_id for jid in ids) for room in rooms for ids in _readings(m, world)[1:])
        if least > 1:
            problems.append(Problem("text.count", f'there are more {m.words} than one in "{sentence.text[:160]}"'))
    return problems


def _total_problems(sentence: Sentence, found: Sequence[Mention], world: World) -> list[Problem]:
    """Counts told as "the total is 12", "the chairs are four in number"."""
    told: list[tuple[str, list[set[str]]]] = []
    everything = [set(world.things)]
    for match in _TOTAL.finditer(sentence.plain):
        named = [
            m for m in found if m.families is None and match.start() <= sentence.tokens[m.start].start < match.end()
        ]
        if named or match["what"] in (None, "objects", "pieces", "items", "things", "furniture"):
            told.append((match["n"], _readings(named[0], world) if named else everything))
    for m in found:
        after = _NUMBER_OF.match(sentence.plain[sentence.tokens[m.end - 1].end :])
        if (
            after
            and m.plural
            and (after["here"] is None or _OF_THEM.search(sentence.plain[: sentence.tokens[m.start].start]))
        ):
            told.append(
                (next(each for each in after.groups() if each), _readings(m, world) if m.families != () else everything)
            )
        elif m.plural and (before := _PREDICATE.search(sentence.plain[: sentence.tokens[m.start].start])):
            told.append((before["n"] or before["k"], _readings(m, world) if m.families != () else everything))
    told += [(each["n"], everything) for each in (*_PIECE.finditer(sentence.plain), *_BROUGHT.finditer(sentence.plain))]
    problems = []
    for word, readings in told:
        n = int(word) if word.isdigit() else NUMBER_WORDS.get(word)
        rooms = (world.before, world.after)
        if n is not None and n not in {sum(jid in room.by_id for jid in ids) for room in rooms for ids in readings}:
            problems.append(Problem("text.count", f'"{word}" is not so in "{sentence.text[:160]}"'))
    return problems


def _readings(mention: Mention, world: World) -> list[set[str]]:
    """The sets of things that a count may be of: as named, all that may be called so, all of the kind."""
    wide = set(mention.ids)
    if mention.kind:
        wide |= {jid for jid, thing in world.things.items() if fits(thing, mention.kind)}
    strict = {jid for jid in wide if mention.kind and world.things[jid].kind.is_a(mention.kind.noun)}
    return [set(mention.ids), wide, strict or wide]


def _true_counts(mention: Mention, world: World, *, told: bool, acts: bool) -> set[int]:
    """How many there are, before alone if ``told``; if something ``acts``, also how many the calls are about."""
    allowed = set()
    for ids in _readings(mention, world):
        rooms = [world.before] if told else [world.before, world.after]
        allowed |= {sum(jid in room.by_id for jid in ids) for room in rooms}
        if acts:
            allowed.add(len({id(a) for a in world.actions if a.jids & ids}))
            for name in {a.name for a in world.actions}:
                allowed.add(sum(bool(a.jids & ids) and a.name == name for a in world.actions))
    return allowed


def _is_counted(sentence: Sentence, mention: Mention, world: World) -> bool:
    n = mention.count or 0
    place, end = sentence.tokens[mention.start].start, sentence.tokens[mention.end - 1].end
    clause = sentence.clause_at(place)
    head, tail = sentence.text[clause.start : place], sentence.text[end : clause.end]
    if n == 1 and not _says_alone(head + mention.count_word, mention.count_word, tail, sentence.plain[end:]):
        return True
    told = _ALL.search(head) is not None and not AFTER.search(sentence.text)
    verbal = any(word in VERBS for word in head.split()[-4:])
    acting = verbal or (
        mention.families != () and any(word in VERBS or word == "new" for word in sentence.plain.split())
    )
    allowed = _true_counts(mention, world, told=told, acts=acting and not _ALL.search(head))
    if n in allowed:
        return True
    if n > max(allowed):
        return False
    if mention.count_word in ("only", "sole", "lone"):
        narrows = (
            r"\s*(?:that|which|near|by|beside|next|against|with|in(?! (?:the|this) (?:\w*room|scene|space)\b)|on|at)\b"
        )
        return re.match(narrows, tail) is not None
    if mention.families == () and told:
        return _NARROWS.search(tail) is not None
    if re.search(r"\ball (?:of )?(?:the )?[\w-]+ $", head) and not _NARROWS.search(tail):
        return False
    some = _SOME.search(head[-40:]) is not None
    ends = mention.families == () and not tail.strip(" .,;:!") and _COMES_TO.search(head) is not None
    if (_PRESENT.search(tail) or ends) and not some and not verbal:
        return False
    if some or (
        _WHICH.search(tail) and not re.match(r"^[\s,]*(?:in (?:the|this) (?:room|scene|space)|of furniture)", tail)
    ):
        return True
    return mention.families is not None and not _ALL.search(head)


def _says_alone(head: str, word: str, tail: str, rest: str) -> bool:
    """Whether "one" says that there are no others."""
    alone = (
        rf"\b(?:only|exactly|just|single|sole|lone)\b[^,]*{word}"
        r"|\b(?:single|sole|lone|only) ?(?:only|sole|lone)?$|\b(?:but|no more than|not more than|at most) one "
    )
    return bool(re.search(alone, head) or re.match(r"\s*is all\b", tail) or _ONE_ALONE.match(rest))


def _is_plain(mention: Mention, head: str) -> bool:
    return not re.search(
        r"\b(?:second|another|other|more|additional|third|further|extra|new|matching|proper)\s*(?:\w+ )?$", head
    )


def _is_foreseen(mention: Mention, world: World) -> bool:
    """Whether the calls' own texts name such a thing: a part of what is added, or a reason."""
    return re.search(rf"\b{re.escape(mention.words)}\b", world.extra) is not None
