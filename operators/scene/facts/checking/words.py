"""The words by which claims are told: numbers, directions, actions, and the cues of what is wished, past or to come."""

from __future__ import annotations

import re

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "both": 2, "couple": 2, "pair": 2, "trio": 3, "dozen": 12, "single": 1, "sole": 1, "lone": 1, "twin": 2,
    "triple": 3, "quartet": 4, "half-dozen": 6,
}  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}

#: Directions on the plan as (x, z), by every word for them.
DIRECTIONS: dict[str, tuple[int, int]] = {}
for _name, _way in {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0), "northeast": (1, -1),
                    "northwest": (-1, -1), "southeast": (1, 1), "southwest": (-1, 1)}.items():  # fmt: skip
    for _word in (_name, _name + "ern", _name + "ward", _name + "wards", _name + "erly", _name + "ernmost",
                  _name + "most", _name + "-facing"):  # fmt: skip
        DIRECTIONS[_word] = _way
    if len(_name) > 5:
        for _word in (_name[:5] + "-" + _name[5:], _name[:5] + "-" + _name[5:] + "ern"):
            DIRECTIONS[_word] = _way
#: Words for sides of the plan that mean a direction where they stand before a wall, a side or a corner.
PLAN_SIDES = {"left": (-1, 0), "right": (1, 0), "left-hand": (-1, 0), "right-hand": (1, 0), "leftmost": (-1, 0),
              "rightmost": (1, 0), "leftward": (-1, 0), "rightward": (1, 0), "top": (0, -1), "bottom": (0, 1),
              "upper": (0, -1), "lower": (0, 1)}  # fmt: skip

for _across, _x in (("left", -1), ("right", 1)):
    for _down, _z in (("top", -1), ("upper", -1), ("bottom", 1), ("lower", 1)):
        PLAN_SIDES[f"{_down} {_across}"] = PLAN_SIDES[f"{_down}-{_across}"] = (_x, _z)

#: Verbs of each action, by their stems; a regular verb is found in all its forms.
_VERBS = {
    "add_object": "add go place put bring introduce install insert include set position furnish supply provide "
                  "incorporate complement equip deposit drop mount hang stand lay populate",
    "move_object": "move shift go slide push pull relocate drag bring nudge reposition place put position set "
                   "translate transfer tuck scoot carry displace lower raise lift align centre center recentre "
                   "recenter realign "
                   "rearrange draw press back",
    "rotate_object": "rotate turn swivel spin orient reorient pivot angle twist redirect re-orient straighten "
                     "align realign",
    "scale_object": "scale resize rescale enlarge shrink widen narrow lengthen shorten heighten stretch reduce "
                    "downsize upsize expand slim trim compress grow extend",
    "replace_object": "replace swap exchange substitute trade switch change upgrade",
    "remove_object": "remove delete discard clear eliminate drop dispose withdraw strip dismiss",
}  # fmt: skip
_IRREGULAR = {
    "bringing": "bring", "brought": "bring", "hung": "hang", "stood": "stand", "laid": "lay", "spun": "spin",
    "slid": "slide", "lain": "lay", "sat": "set", "drew": "draw", "drawn": "draw",
    "shrank": "shrink", "shrunk": "shrink", "grew": "grow", "grown": "grow",
}  # fmt: skip
#: Phrases that are actions although no word of them is one.
PHRASES = {
    "take out": "remove_object", "taken out": "remove_object", "takes out": "remove_object",
    "taking out": "remove_object",
    "took out": "remove_object", "take away": "remove_object", "throw out": "remove_object",
    "throws out": "remove_object",
    "throwing out": "remove_object", "throw away": "remove_object", "thrown out": "remove_object",
    "taken away": "remove_object",
    "takes away": "remove_object",
    "taking away": "remove_object", "get rid of": "remove_object",
    "gets rid of": "remove_object", "getting rid of": "remove_object", "do away with": "remove_object",
    "make way": "", "make room": "", "makes room": "", "take place": "", "takes place": "",
    "in place of": "replace_object",
    "takes the place of": "replace_object", "take the place of": "replace_object", "in turn": "", "this turn": "",
    "last turn": "", "next turn": "", "later turn": "", "final turn": "", "first turn": "", "each turn": "",
    "in place": "", "out of place": "", "moving on": "", "set of": "", "a set": "", "tool call": "", "change of": "",
    "making room": "", "takes up": "", "stands out": "", "on the move": "", "clear of": "", "stay clear": "",
    "right angle": "", "right angles": "", "at an angle": "", "an angle": "", "the angle": "", "angle of": "",
    "in exchange": "", "dining set": "", "a change": "", "the change": "", "changes are": "", "no change": "",
    "free up": "", "set apart": "", "back to": "", "the back": "", "its back": "", "in the back": "", "at the back": "",
    "well placed": "", "is placed": "", "are placed": "", "is positioned": "", "are positioned": "",
    "placed against": "",
    "is set": "", "are set": "", "is centred": "", "is centered": "", "is aligned": "", "are aligned": "",
    "is oriented": "", "are oriented": "", "is turned towards": "", "is turned toward": "", "is turned away": "",
    "is angled": "", "are angled": "", "is mounted": "", "is pushed against": "", "is pressed against": "",
    "lines up": "", "positioned against": "", "is tucked": "", "are tucked": "",
}  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(word_set("a few words"))
    ['a', 'few', 'words']
    """
    return frozenset(words.split())


def _forms(verb: str) -> list[str]:
    stem = verb[:-1] if verb.endswith("e") else verb
    forms = [verb, verb + "s", verb + "es", stem + "ing", stem + "ed", verb + "ed", verb + "ing"]
    if re.search(r"[^aeiou][aeiou][bdgmnprt]$", verb):
        forms += [verb + verb[-1] + "ing", verb + verb[-1] + "ed"]
    return forms


def _verb_table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for name, verbs in _VERBS.items():
        for verb in verbs.split():
            for form in _forms(verb):
                table.setdefault(form, set()).add(name)
    for form, verb in _IRREGULAR.items():
        table[form] = set(table[verb])
    return {form: frozenset(names) for form, names in table.items()}


#: Each form of a verb with the tools that it may mean.
VERBS = _verb_table()
#: Nouns for actions.
ACTION_NOUNS = {"addition": "add_object", "placement": "", "removal": "remove_object", "rotation": "",
                "replacement": "replace_object", "relocation": "move_object"}  # fmt: skip
_GROW = "enlarge widen lengthen heighten stretch expand grow extend upsize"
_SHRINK = "shrink narrow shorten reduce downsize slim trim compress"
GROWING = frozenset(form for verb in _GROW.split() for form in _forms(verb))
SHRINKING = frozenset(form for verb in _SHRINK.split() for form in _forms(verb)) | {"shrank", "shrunk"}

#: What makes a thing wished for, asked for or lacking: a mention after it claims no existence.
WISH = re.compile(
    r"\b(?:need|needs|needed|needing|requires?|lacks?|lacking|lacked|missing|absent|absence of|without|want|"
    r"wants|wanted|"
    r"wish|wishes|asks?|asked|asking|request|requests|requested|instruction|user|calls? for|called for|would|"
    r"could|might|"
    r"should|may|later|future|eventually|upcoming|afterwards|subsequent|next turn|next step|still to come|yet "
    r"to|not yet|"
    r"remaining turns|room for|space for|place for|leaves? room|ready for|prepare|preparing|expected|typically|"
    r"usually|"
    r"generally|normally|typical|any|if|unless|instead of|rather than|such as|for example|e\.g|like a|like an|"
    r"as in a|brief|"
    r"goal|plan to|plans to|hope|ideal|ideally|suggests?|can be added|to come|no longer|earlier|previously|previous|"
    r"already removed|in advance|(?:do|does|did) not (?:\w+ )?(?:have|contain|hold|include|feature|own|offer|"
    r"show|possess)|d(?:o|oes)n't (?:have|contain|hold|include)|has not got|miss|misses|nowhere|devoid of|"
    r"short of|left out|overdue|not a trace of|no sign of|no trace of|in search of|looking for|look for|once|"
    r"whenever|a future|turns ahead|kind of|sort of|neither|nor)\b"
)
WISH_AFTER = re.compile(
    r"\b(?:missing|absent|needed|nowhere|not to be (?:seen|found)|not in sight|overdue|owed|out of sight|(?:was|"
    r"were|is|are) not (?:requested|wanted|part|mentioned|asked)|lacking|"
    r"required|would|could|should|might|can (?:be(?! (?:seen|found|made out|counted|spotted))|come|follow|go)|"
    r"still to come|"
    r"not (?:there|here|present|yet)|later|next turn|is wanted|are wanted|wished|is called for|to be added|"
    r"comes? next|"
    r"come later|in (?:a |the )?(?:later|next|following|future|coming) (?:turn|step)s?|has yet|have yet|no longer)\b"
)
#: What makes a sentence tell of the room after the calls.
AFTER = re.compile(
    r"\b(?:will|then|after|afterwards|would|once|becomes?|arriv\w*|leaves?|leaving|resulting|result|results|"
    r"so that|thereby|"
    r"thus|end up|ends up|ends? with|new(?:ly)?|now|giving|brings?|bringing|puts?|putting|makes?|making|places?|"
    r"placing|"
    r"keeps?|keeping|"
    r"until|with (?:that|this|these|it|them|all (?:that|this))|in (?:that|this|its new) (?:spot|place|position)|"
    r"there(?! (?:is|are|was|were|stands?|remains?|"
    r"seems?|lies)\b)(?!'s|n't)|moves?|moving|shifts?|rotates?|rotating|rotated|turning|i'll|we'll|it'll|going "
    r"to|to)\b"
)
#: Words for the room itself.
ROOM = re.compile(
    r"\b(?:\w*room|study|office|kitchen|hall(?:way)?|entry(?:way)?|entrance|nursery|den|gym|library|studio|"
    r"lounge|apartment|"
    r"flat|garage|foyer|corridor|workspace|floor(?:space)?|ceiling|space|area|shell|plan|rectangle|zone|"
    r"interior|layout|"
    r"footprint of the room|volume|walls)\b"
)
QUESTION_WORDS = (
    "what",
    "where",
    "why",
    "how",
    "which",
    "who",
    "is",
    "are",
    "does",
    "do",
    "should",
    "can",
    "could",
    "will",
)
APPROXIMATE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|some|circa|close to|just under|just over|"
    r"a little (?:over|under|more than|less than)|slightly (?:over|under|more than|less than)|barely|scarcely|"
    r"only about|"
    r"well over|over|under|more than|less than|at least|at most|up to|within|no more than|no less than|below|"
    r"above|exceeds?|"
    r"exceeding)\s*$|[~≈<>≤≥]\s*$)"
)
#: Numbers in such words are norms, not measures.
NORM = re.compile(
    r"\b(?:should|ought|recommended|recommend|ideal|ideally|standard|rule|usually|typically|typical|generally|"
    r"comfortable|"
    r"comfortably|minimum|needs?|requires?|required|guideline|norm|norms|at least|prefer|preferably|enough for|"
    r"of thumb|aim|"
    r"tolerance|threshold|acceptable)\b"
)
#: Words for many kinds at once, by the families that they may mean.
UMBRELLAS = {
    "furniture": (), "furnishings": (), "object": (), "objects": (), "piece": (), "pieces": (), "item": (), "items": (),
    "seating": ("seat", "sofa"), "seats": ("seat", "sofa"), "seat": ("seat", "sofa"), "storage": ("storage", "shelf"),
    "lighting": ("lamp",), "light": ("lamp",), "lights": ("lamp",), "fixture": ("lamp",), "greenery": ("plant",),
    "decor": ("decor", "plant", "rug"), "decoration": ("decor", "plant", "rug"),
    "decorations": ("decor", "plant", "rug"),
    "accessory": ("decor",), "accessories": ("decor",), "ornament": ("decor",), "things": (), "thing": (),
    "everything": (), "elements": (), "element": (), "fixtures": ("lamp",), "surface": ("table", "desk"),
}  # fmt: skip
