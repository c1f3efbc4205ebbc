"""Whether what a clause tells of overlaps and clearance is so: of two things, of one and any other, of the whole room.

Words of meeting claim an overlap, words of parting its absence, and a denial turns the one into the other. What is
named beside them tells who; where nothing is named, the whole room is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.clauses import ClauseReader, head_of, is_joint
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.words import AFTER
from operators.scene.facts.sheet import fact_sheet
from operators.scene.facts.things import Room

_ANY = (
    r"(?:(?:that|the (?:[a-z]+ )?(?:space|volume|body|footprint|area|bounds|outline|zone)|parts?|a part) of )?"
    r"(?:the |a |an |its |one |each |both |another |any )?"
    r"(?:(?!(?:of|with|from|to|at|by|for|on|in|and|that)\b)[a-z-]+ ){0,2}"
)
_OUTWARD = (
    "look fac turn open point lead fit transform chang convert blend divid tuck built integrat mov shift slid go com "
    "bring put get tak walk enter step back front view window room space way aisle gaz extends? grow organi[sz] "
    "group arrang split break fold separat incorporat insert introduc"
)
#: Words that claim an overlap.
_MEETS = re.compile(
    r"\b(?:overlap\w*|intersect\w*|collid\w*|collisions?|(?:inter)?penetrat\w*|clip(?:s|ped|ping)?(?! (?:to|on)\b)|"
    r"intrud\w*|encroach\w*|clash\w*|merg(?:e|es|ed|ing)|interlock\w*|interfer\w*|conflict\w*(?= with)|"
    r"in (?:physical )?conflict|physical conflicts?|conflicts?(?=\s*(?:$|[.,;]|between|of|in the room|left|is|"
    r"are|remains?|stays?|exists?|will|can))|"
    r"(?:get |gets |getting |are |stand |is )?in (?:each other|one another)'s (?:way|space)|"
    r"inside (?:each|one an)other|into (?:each|one an)other|"
    r"(?:shar\w+|claim\w*|occup\w+|compet\w+ for|fill\w*|use|uses|take|takes|want|wants) (?:exactly |partly |"
    r"some of |any )?"
    r"(?:the same|some|any|its|their|part of their|part of its|one) (?:floor )?(?:space|volume|spots?|places?|area|"
    r"footprints?|floor)|"
    r"(?:in|at) the (?:very |exact )?same (?:space|volume|spot|place|position)|(?:stuck|embedded|buried|"
    r"lodged) in(?:to)?|"
    rf"(?:swallow\w*|engulf\w*|pierc\w*|skewer\w*|impal\w*|perforat\w*|invad\w*|trespass\w*|infring\w*|imping\w*|"
    rf"violat\w*|breach\w*|overrun\w*|ram(?:s|med|ming)?|enter(?:s|ed|ing)?|crash\w* (?:with|against))"
    rf"(?: \w+)?(?: on| upon| by)? (?={_ANY}_)|"
    r"(?:fused|jammed|squashed|crammed|squeezed|melted|tangled|welded) together|entangled|intertwined|"
    r"cover(?:s|ing)? (?:each|one an)other|"
    r"(?:invad\w*|violat\w*|occup\w*|claim\w*|steal\w*|takes?|taking|uses?) (?:some |"
    r"part )?(?:of )?the (?:space|volume|"
    rf"footprint|body|floor) of (?={_ANY}_)|"
    rf"(?:hidden|concealed|submerged|sunk|buried|embedded|lodged|stuck) (?:with)?in(?:side)?(?= {_ANY}_)|"
    rf"(?:runs?|running|pok\w+|push\w*|punch\w*|break\w*|burst\w*|shoots?|juts?|jutting|go(?:es)?|going|"
    rf"pass(?:es|ing)?|cut(?:s|ting)?|slic\w+|stab\w*|cross(?:es|ing)?)"
    rf"(?: \w+)? (?:through|across)(?= {_ANY}_)|"
    r"(?:partly|partially|half|halfway|deep|fully|entirely|stands?|standing|is|are|sits?|lies|lie|lying|"
    r"ends? up|right|reach\w*|got|gets?) inside(?: of)?"
    rf"(?= {_ANY}_))"
)
#: Any other verb with "into" and a thing: "is jammed into the desk".
_INTO = re.compile(
    rf"\b(?!(?:{'|'.join(_OUTWARD.split())})\w*\b)[a-z]+(?: (?!of\b|to\b|"
    rf"and\b)[a-z0-9.]+){{0,3}} into(?= {_ANY}(?:_|another\b|other\b|any\w*\b|each\b))"
)
#: Words that claim that two are clear of each other.
_PARTS = re.compile(
    rf"\b(?:clear(?= of)|free(?= of (?:each|one|everything|any|other|all|{_ANY}_))|free from(?= (?:each|one))|"
    r"apart(?! from)|separate|separated|separates|clearly distinct|"
    rf"(?:leave|leaves) (?:each other|one another|{_ANY}_+) (?:alone|untouched)|"
    rf"(?:stays?|keeps?|remains?|stand|stands|staying) (?:well |safely |\w+ )?(?:out of|away from)(?= {_ANY}_)|"
    r"(?:is|are|keeps?|kept|stands?|stays?|remains?|well|set) apart from|"
    r"(?:leav|keep|kept|maintain|hold|hav|has|have|show|enjoy)\w* (?:its |their |an? |some |enough |ample |plenty of )?"
    r"(?:(?!no\b|little\b|hardly\b)[a-z]+ )?(?:gaps?|distance|clearance|breathing (?:room|space)|margin|buffer|air)"
    rf"(?=\s*(?:$|[.,;])| (?:to|from|towards|between|of|around) )|"
    rf"(?:misses|spares)(?= {_ANY}_)|(?:stops?|ends?|stays?|falls) (?:just |well )?(?:short of|before)(?= {_ANY}_)|"
    r"(?:stands?|sits?|is|are) free(?=\s*(?:$|[.,;]))|(?:space|room|place|spot) of (?:its|their) own|"
    r"(?:space|room|air|gap|distance|clearance|daylight|floor) (?:lies |remains |is left )?between|"
    r"(?:its|their) own (?:space|place|spot|footprint|floor)s?)\b"
)
#: Words that claim nothing of overlaps unless they are denied.
_WEAK = re.compile(
    r"\b(?:touch\w*|meets?|met|reach(?:es|ed|ing)?|contacts?|bump\w*|hits?|hitting|disturb\w*|block\w*)\b"
)
_TOUCH = re.compile(r"\b(?:touch\w*|in contact)\b")
_DENIED = re.compile(
    r"\b(?:no|not|without|never|nothing|none|neither|nor|nobody|avoid\w*|free|hardly|zero|cannot|devoid|lacks?|stops?|"
    r"ceases?|resolv\w*|remov\w*|clear(?:s|ed|ing)?(?! (?:gap|space|distance|strip|air)\b)|fix(?:es|ed|ing)?|"
    r"eliminat\w*|ends?(?= the)|solv\w*|undo\w*|"
    r"gets? rid of)\b|n't\b"
)
_UNDONE = re.compile(
    r"^-?\s?(?:free\b|(?:\w+ ){0,4}?(?:(?:is|are|gets?|has been|have been|will be) )?(?:now |all |thus |"
    r"thereby |then )?"
    r"(?:resolved|gone|removed|avoided|cleared|fixed|eliminated|solved|nowhere|absent|past|"
    r"not (?:a|an|any) (?:problem|issue|concern|topic)|no (?:problem|issue|concern|topic)|out of the question|"
    r"disappears?|vanish\w*))\b"
)
_NOTHING = re.compile(r"^\s*(?:with )?(?:nothing|none|no (?:other|one|thing|piece|object))\b")
_ANYTHING = re.compile(r"\b(?:any\w*|others?|another|each|every\w*|nothing|none|something|all)\b")
_PRONOUN = re.compile(r"\b(?:it|its|they|them|both|these|those|which|the two|the pair|each other|one another)\b")
_SINGULAR = re.compile(r"\b(?:it|its|which|them)\b")
#: What leaves some out of a denial, and what a clause must have to speak of the whole room.
_BUT = re.compile(r"\b(?:other|else|further|new(?! (?:layout|arrangement|room|state|scene|plan|placement|"
                  r"position)\b)|additional|remaining|apart from|except|but|besides|only|"
                  r"almost|mostly|nearly|most)\b")  # fmt: skip
_WHOLE = re.compile(
    r"\b(?:no|nothing|none|not (?:a|one|any)|free|without|zero|everything|all|every|all|overlaps|collisions?|"
    r"each|never|"
    r"n't any|resolv\w*|removes?|neither)\b"
)
_PHYSICAL = re.compile(
    r"\b(?:physical|spatial|geometrical)(?:ly)?\b.*\b(?:nothing|in order|sound|fine|clean|correct|valid|okay|ok|"
    r"flawless|"
    r"no (?:problems?|issues?|"
    r"faults?|conflicts?|errors?)|all right|consistent)\b|"
    r"\b(?:no|without|free of|any|not a single)(?: \w+)? (?:physical|spatial) (?:problems?|issues?|conflicts?|"
    r"faults?|errors?)\b"
)
_LATER = re.compile(
    r"\b(?:after\w*|then|once|new (?:layout|arrangement|state)|outcome|results?|resulting|final|finished|"
    r"ends? up|left(?= (?:in|over|behind)|\s*(?:$|"
    r"[.,;]))|remains?|"
    r"any ?more|any longer|no longer|(?:this|that) way|will|resolv\w*|remov\w*|leaves?|becomes?|with (?:this|that)|"
    r"from now on|now)\b"
)
_DEEP = 0.03


def contact(r: ClauseReader) -> None:
    """Read the overlaps and clearances of a clause."""
    if (
        ("physical" in r.text or "spatial" in r.text or "geometrical" in r.text)
        and _PHYSICAL.search(r.text)
        and not _BUT.search(r.text)
        and not r.named
    ):
        _whole(r, "physically in order")
        return
    match = _MEETS.search(r.text) or (_INTO.search(r.text) if " into" in r.text else None)
    meets = match is not None
    match = match or _PARTS.search(r.text)
    if match is None:
        match = _WEAK.search(r.text)
        if match is None:
            return
        _weak(r, match)
        return
    rest = r.text[match.end() :]
    # "nothing runs into anything" is one match of a verb with "into", and denied by its own first word.
    head = r.text[: match.end() if match.re is _INTO else match.start()]
    denied = bool(_DENIED.search(head) or _UNDONE.match(rest) or _NOTHING.match(rest))
    clear = denied if meets else not denied
    if not meets and denied:
        return
    _tell(r, match, clear=clear)


def _weak(r: ClauseReader, match: re.Match[str]) -> None:
    if _DENIED.search(r.text[: match.start()]) or _NOTHING.match(r.text[match.end() :]):
        _tell(r, match, clear=True)
    elif _TOUCH.match(match.group()):
        couple = _couple(r, match.start(), match.end())
        if couple and couple[1]:
            r.claim("touching", [couple[0]], couple[1], None, "", match.group())


def _tell(r: ClauseReader, match: re.Match[str], *, clear: bool) -> None:
    rest = r.text[match.end() :]
    couple = _couple(r, match.start(), match.end())
    if couple is None:
        named = r.named or _PRONOUN.search(r.text[: match.start()])
        if (
            clear
            and not named
            and _WHOLE.search(r.text)
            and not _BUT.search(r.text[: match.start()])
            and not _is_wall(rest)
        ):
            _whole(r, match.group())
        return
    one, other = couple
    if re.search(r"\b(?:no longer|any ?more|any longer)\b", r.text):
        r.rooms = [r.world.after]
    if other is None:
        r.claim("no_overlap" if clear else "any_overlap", [one], None, None, "", match.group())
    elif one.ids != other.ids or len(one.ids) > 1:
        r.claim("clear" if clear else "overlap", [one], other, None, "", match.group())


def _couple(r: ClauseReader, start: int, end: int) -> tuple[Mention, Mention | None] | None:
    """The two things of an overlap; one alone if it is told of anything else at all, None if it is of no two things."""
    before = [m for m in r.named if r.start(m) < start and m.ids]
    after = [m for m in r.named if r.start(m) >= end and m.ids]
    rest = r.text[end:]
    if _is_wall(rest[: r.start(after[0]) - end] if after else rest):
        return None
    if before and after:
        return head_of(r, before, start), after[0]
    for both in (before[-2:], after[:2]):
        if len(both) > 1 and (is_joint(r, both[0], both[1]) or _PRONOUN.search(rest) or _lone(r, before, after, start)):
            return both[0], both[1]
    if len(before) > 1 or len(after) > 1:
        return None
    if not before and not after:
        return _carried_pair(r)
    one = (before or after)[0]
    if _SINGULAR.search(r.text[:start] if after else rest):
        earlier = _earlier(r, one)
        if earlier:
            return earlier[0], one
    if len(one.ids) > 1 and one.plural:
        return one, one
    return (one, None) if _ANYTHING.search(rest) else None


def _lone(r: ClauseReader, before: Sequence[Mention], after: Sequence[Mention], start: int) -> bool:
    """Whether a clause names two things alone, and has none of them: "this passes that without contact"."""
    return len(before) == 2 and not after and r.text[r.end(before[1]) : start].split()[-1:] == ["without"]


def _carried_pair(r: ClauseReader) -> tuple[Mention, Mention] | None:
    """Of "they overlap", the two things named before."""
    if not re.search(r"\b(?:they|both|the two|these two|the pair|which (?:it|they))\b", r.text):
        return None
    earlier = _earlier(r, None)
    return (earlier[0], earlier[1]) if len(earlier) == 2 else None


def _earlier(r: ClauseReader, but: Mention | None) -> Sequence[Mention]:
    """What the sentence names before the clause, or else the one before it."""
    plain = [m for m in r.found if m.families is None and m.ids and r.start(m) < 0]
    return [m for m in plain or r.carried if m.ids and (but is None or m.ids != but.ids)]


def _whole(r: ClauseReader, words: str) -> None:
    """Note that nothing is said to overlap although something does."""
    rooms = [r.world.after] if _LATER.search(r.text) else r.rooms
    if AFTER.search(r.sentence.text) and r.world.after not in rooms:
        rooms = [*rooms, r.world.after]
    if all(_overlaps(room) for room in rooms):
        r.wrong.append(words)


def _overlaps(room: Room) -> bool:
    return any(each.depth >= _DEEP for each in fact_sheet(room.scene).overlaps)


def _is_wall(text: str) -> bool:
    return re.search(r"\b(?:walls?|floor|room boundary|bounds)\b", text) is not None
