"""The words that raise a relation: facing, overlaps, walls, sides, nearness, and what parts or denies them."""

from __future__ import annotations

import re

from operators.scene.facts.checking.words import DIRECTIONS, PLAN_SIDES

_COMPASS_WORDS = "|".join(sorted(DIRECTIONS, key=len, reverse=True))
_PLAN = "|".join(sorted((*DIRECTIONS, *PLAN_SIDES), key=len, reverse=True))
_AREAS = "|".join(
    sorted(
        (*DIRECTIONS, *(word for word in PLAN_SIDES if word not in ("top", "bottom", "upper", "lower"))),
        key=len,
        reverse=True,
    )
)

#: A denial that reaches to what follows at once.
NOT = re.compile(
    r"(?:\bnot|n't|\bnever|\bno longer|\bwithout|\bneither|\bnor|\bno|\bfree of|\bavoids?|\bcannot|\binstead of|"
    r"\brather than|\bnothing|\bnone|\bhardly)(?: \w+){0,3}\s*$"
)
#: A clause with one of these tells what might be, should be or was.
UNREAL = re.compile(
    r"\b(?:would|could|might|may|should|if(?! (?:one|you|we|i) (?:looks?|checks?|measures?|compares?)\b)|unless|"
    r"ought|usually|typically|normally|best|belong (?:on|at|in|to|near|next)|ideal|"
    r"ideally|wants?|needs? to|must|supposed|prefer\w*|avoid\w*|so as not|risk\w*|prevent\w*|whether|rather "
    r"than|instead of|"
    r"either|as if|previously|earlier|used to|expected|in principle|possible|can(?! (?:\w+ )?(?:find|see|detect|"
    r"spot|make out|confirm|say|tell))|cannot(?! (?:\w+ )?(?:find|see|detect|spot))|room for|space for|generally|"
    r"user|instruction|asks?|asked|request\w*|wish\w*|requires?|enough)\b(?! (?:be )?(?:found|seen))"
)
#: Words of facing; those that are verbs may take a thing as well as a direction.
FACES = re.compile(
    r"(?P<verb>\b(?:fac(?:es|e|ing|ed)(?! of)|looks?(?= (?:at|to|towards?|onto|"
    r"into|out|over|north|south|east|"
    r"west|straight|directly|away))|"
    r"looking(?= (?:at|to|towards?|onto|into|out|north|south|east|west|straight|directly|away))|points?(?= "
    r"(?:at|to|towards?|north|south|east|west|away|straight))|"
    r"pointing|orient(?:ed|ated)(?! along)|turned (?:to|towards?|away)|directed (?:at|to|towards?)|aimed (?:at|"
    r"towards?)|"
    r"angled (?:to|towards?)|opens? (?:to|towards?|onto)|opening (?:to|towards?|onto)|gaz(?:es|ing)|heads?(?= "
    r"(?:north|south|east|west|to))|ha(?:s|ve)(?= (?:the |an? |its )?_+ in (?:its |their |full |plain |"
    r"direct )?(?:view|sight))))"
    r"|(?<!in )\b(?:fronts?|front side|orientation|heading|turned|doors?|backrest|seat side)\b(?! legs?| edge)"
)
#: Directions that a front may take.
COMPASS = re.compile(
    rf"\b(?P<way>{_COMPASS_WORDS}|(?<=to the )left|(?<=to the )right|(?<=towards the )left|(?<=towards the )right)\b"
)
#: Words of turning: what is faced after them is faced after the turn.
TURNS = re.compile(r"\b(?:rotat\w+|turn(?:s|ing)?|swivel\w*|re-?orient\w*|spin\w*|pivot\w*|spun)\b")
WALL = re.compile(rf"\b(?P<way>{_PLAN})(?:[ -]hand)?(?: (?!of\b|wall\b|and\b|or\b)[a-z]+)? walls?\b")
SIDE = re.compile(
    rf"\b(?P<way>{_AREAS})(?:[ -]hand)?[ -](?:(?!of\b|and\b|wall\b)[a-z]+ )?(?P<part>corner|side|half|part|end|"
    rf"edge|area|quarter|third|portion|"
    r"section|quadrant|zone|region|wing|flank)\b(?! (?:table|chair|lamp|cabinet))(?P<way2>)"
)
#: Words of the plan or a picture, on which up is north.
PICTURE = re.compile(
    r"\b(?:plan|picture|image|drawing|drawn|map|photo|diagram|sketch|screen|(?:top|plan|overhead|bird's-eye|"
    r"upper) view|"
    r"view from above|from above|from the top|top-down|overhead|render(?:ing|ed)?|bird's|viewed)\b"
)
PLAN_SIDE = re.compile(
    r"\b(?P<way>upper|lower|top|bottom)[ -](?P<part>side|half|part|end|edge|area|quarter|third|portion|section|"
    r"zone|region|"
    r"corner|margin|border|rim)\b|"
    r"\b(?:towards?|near|at|on|to|along) (?:the (?:very )?)(?P<way2>top|bottom|left|right)(?= (?:we|i|one|you|"
    r"there|of the "
    r"(?:plan|picture|image|drawing|map|view|frame))\b|\s*(?:$|[.,;]))"
)
#: Directions alone that mean a part of the room.
WAYS_OF = re.compile(
    rf"\b(?:in|to|towards?|on|at) the (?P<way>{_COMPASS_WORDS})(?P<part>)(?= (?:we|i|one|you|there|of (?:the|"
    rf"this) (?:\w*room|plan|"
    rf"space|floor))\b)|^\W*the (?P<way2>{_COMPASS_WORDS}) of (?:the|this) (?:\w*room|space|plan|floor)(?= )"
)
RELATIVE = re.compile(
    rf"\b(?:to the |on the |just |directly |immediately |due |further )?(?P<way>{_COMPASS_WORDS}|left|right)(?: "
    rf"side)? (?:of|from|than) "
    r"(?=(?:the|a|an|its|both|this|that|one|[a-z_]+)\b)"
)
CENTRE = re.compile(
    r"\b(?:in|at|near|around|occup\w+|into|to) the (?:very |exact |dead )?(?:centre|center|middle)(?: of the "
    r"(?:room|floor|space)|(?=\s*[.,;]|$))"
)
#: Words that part a thing from the wall they lead to, and such as press it to it.
PARTED = re.compile(
    r"\b(?:away from|off|far from|clear of|detached from|out from|distant from|remote from|leaves?|free|empty|"
    r"opposite|from)\s+(?:the |its |a )?(?:\w+ )?$"
)
TIGHT = re.compile(
    r"\b(?:against|flush|touch\w*|hug\w*|lin(?:es|ed|ing)|back\w*|abut\w*|tight|along|press\w*|attached|fixed|"
    r"mounted|"
    r"anchor\w*|align\w*|push\w*|stuck|hangs?|hung|leans?)\b"
)
PRONOUN = re.compile(r"\b(?:it|its|they|them|their|which|that|both|this|he|these|each other|one another)\b")
BACK = re.compile(
    r"\b(?:its |their |the |with (?:its |their |the ))?backs? (?:is |are |turned |facing |pointing )*(?:to|"
    r"against|towards?) (?=\w)"
)
#: What may stand between a thing and one that only places it: "the lamp on the nightstand".
AWAY_WORDS = (
    r"\s*(?:(?:right |left )?(?:of|on|by|near|beside|next to|at|with|to|in front of|behind|under|above|below|"
    r"opposite|closest to|nearest)"
    r"|(?:(?:to the )?(?:north|south|west|east|left|right)|(?:on|to) the (?:north|south|west|east|left|right) "
    r"side) of)\s+"
    r"(?:the|a|an|its|each|both|every)?\s*(?:[a-z-]+\s+){0,2}"
)
_NEXT = r"(?=(?:the |a |an |its |one |both |each )?\w)"
#: Relations that are phrases; whether they take another thing.
SIMPLE: list[tuple[str, re.Pattern[str], bool]] = [
    ("on_top", re.compile(r"\b(?:on top of|atop|resting on|rests on|perched on|sits on|sitting on|standing on|"
                          r"stands on|placed on) "
                          r"(?=(?:the |a |an |its |one |both |each )?(?!floor|ground|north|south|east|west|left|"
                          r"right|side|wall|top)\w)"), True),
    ("above", re.compile(rf"(?<!from )\babove (?!all\b){_NEXT}"), True),
    ("below", re.compile(rf"\b(?:below|beneath|underneath|under) {_NEXT}"), True),
    ("any_wall", re.compile(r"\b(?:against|flush (?:with|against|to)|touch(?:es|ing)?|up against|backed (?:up "
                            r")?(?:to|against)|tight (?:to|against)) (?:the |a |its )?walls?\b"), False),
    ("off_wall", re.compile(r"\b(?:away from|off|far from|clear of|detached from|pulled off|out from) (?:the |"
                            r"its |a |any )?walls?\b"), False),
    ("inside", re.compile(r"\b(?:fully |wholly |entirely |completely |still |well )?(?:inside|within) (?:the|"
                          r"its) (?:room|floor|walls|bounds|boundary|boundaries|outline|plan)\b|\bin "
                          r"bounds\b"), False),
    ("outside", re.compile(r"\b(?:outside (?:of )?(?:the )?(?:room|floor|bounds|boundary|boundaries|walls?|"
                           r"outline|plan)|out of (?:the )?(?:bounds|room)|"
                           r"(?:through|past|beyond|outside|crosses|crossing|breaks? through) (?:the |its "
                           r")?(?:walls?|boundary|room|floor edge|outline)|protrud\w+(?! (?:\w+ )?into (?:the |"
                           r"a |an )?(?:[a-z-]+ )?_)|sticks? out|"
                           r"out-of-bounds)\b"), False),
    ("float", re.compile(r"\b(?:(?:float(?:s|ing)?|hover(?:s|ing)?)(?![^,;]*\b(?:walls?|from|away|free of|"
                         r"clear of)\b)|in mid-?air|in the air|off the (?:floor|ground)|"
                         r"unsupported)\b"), False),
    ("grounded", re.compile(r"\b(?:stands?|standing|rests?|resting|sits?|sitting) (?:firmly |flat |directly "
                            r")?on the (?:floor|ground)\b"), False),
    ("near", re.compile(rf"\b(?:next to|beside|besides|close to|adjacent to|near|alongside|right by|nearby|"
                        rf"within reach of|neighbou?ring|flank(?:s|ing)) {_NEXT}"), True),
    ("far", re.compile(rf"\b(?<!equally )(?<!as )(?<!how )(?<!too )(?:far (?:away )?from|a long way from|"
                       rf"distant from|remote from|across the room from|"
                       rf"nowhere near) {_NEXT}"), True),
    ("touching", re.compile(r"\b(?:touch(?:es|ing)?|in contact with|flush with|right up against|pressed "
                            r"against) (?=(?:the |a |an |its |one |each )?\w)"), True),
]  # fmt: skip
#: Before a word of facing: what is faced is so after the turn.
TURNED = re.compile(
    r"(?:\b(?:once|after|when|having been|after being) (?:[a-z]+ )?|^(?:thus |now |newly )?)(?:turned|rotated|"
    r"swivell?ed|"
    r"spun|re-?oriented|pivoted)\b|\bafter (?:the|this|a|its|that) (?:[a-z-]+ )?(?:turn|rotation|swivel)\b|"
    r"\b(?:let|lets|letting|make|makes|making|get|gets|getting) (?:the |a )?(?:[a-z-]+ ){0,2}_[_\w]* (?:to )?$|"
    r"\b(?:is made to|comes? to|ends? up|is brought to|winds? up) $"
)
NEW = re.compile(r"\bnew $")
#: A thing that is turned to a direction: "I point the bed south", "the bed swings round to the south".
TURN_TO = re.compile(
    rf"\b(?:(?:turn|rotat|swivel|spin|swing|point|aim|direct|re-?orient|pivot)(?:s|es|e|ing|ning)?(?: of)?"
    rf"(?= (?:the |a |its )?(?:[a-z-]+ )?_)|(?:have|let|lets) (?=(?:the )?(?:[a-z-]+ )?_[_\w]* turn))[^,;]*?"
    rf"_[_\w]*(?: \d+| turn| round| around| over| straight| directly| so that it)* (?:to(?:wards?)? (?:the )?)?"
    rf"(?P<way>{'|'.join(sorted(DIRECTIONS, key=len, reverse=True))})\b|"
    rf"_[_\w]* (?:turns|swings|swivels|rotates|pivots|spins)(?: round| around| over)? to(?:wards?)? (?:the )?"
    rf"(?P<way2>{'|'.join(sorted(DIRECTIONS, key=len, reverse=True))})\b"
)
