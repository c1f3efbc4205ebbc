"""Which words of plans say the same, which say the opposite, and what follows from what.

Words stand here as phrases: lower case, spaces for underscores, without adverbs of degree ("fully closed" is
"closed") and without posture before a preposition ("placed on" is "on"). A group's first word names it.
Inflection is not listed where it is regular: relations take -s and -ing ("holds", "holding") as one word; states do
not, for "stirring" is what a spoon is for and "stirred" is what soup is. Words in -able are never a state.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """Words that say the same: each list has commas between its words.

    ``converse`` words say it with the arguments the other way round, ``opposite`` words hold exactly when the others
    do not. ``strength`` is that of two different words of the group. ``symmetric``: arguments in any order.
    """

    words: str
    strength: float = 0.85
    converse: str = ""
    opposite: str = ""
    symmetric: bool = False


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Relations between two or more objects.
RELATIONS = (
    Group("on, on top of, onto, upon, atop, on surface of, supported by", 0.95, "supports", "off, off of"),
    Group("in, inside, inside of, within, into, contained in, contained by", 0.95, "contains", "outside, outside of"),
    # "over" may mean covering; as a place it is above, so it is a looser word
    Group("above, over, higher than", 0.85, "below, under, beneath, underneath, lower than"),
    # whether wired, screwed or plugged: what is connected is attached. How it is attached stands under RELATION_IMPLIES
    Group(
        "attached to, connected to, fixed to, fixed on, fastened to, secured to, affixed to, joined to, linked to,"
        " coupled to, attached, connected, mounted on, mounted to, attached on, fixed in place on",
        0.85,
        "",
        "detached from, disconnected from, unattached from, unfastened from, detached, disconnected",
        symmetric=True,
    ),
    # participles too: annotators write "held(hand, knife)" and "held(knife, hand)", and mean the same
    Group(
        "holding, grasping, gripping, grasped, gripped, held, clutching, has grasp of",
        0.9,
        "held by, grasped by, gripped by",
        "released, letting go of",
    ),
    Group(
        "contacting, touching, in contact with, contacted, touched, in touch with, making contact with", symmetric=True
    ),
    Group("near, close to, nearby, in proximity to, proximate to", symmetric=True, opposite="far from, away from"),
    Group("next to, beside, adjacent to, alongside, adjacent", symmetric=True),
    Group("aligned with, lined up with, in line with, aligned, aligned to", 0.9, "", "misaligned with", symmetric=True),
    Group("separated from, apart from, separate from, separated", symmetric=True),
    Group("mixed, mixed with, mixed together, intermixed, mixed into", 0.9, "", "unmixed", symmetric=True),
    Group("combined, combined with, combined together", 0.9, symmetric=True),
    Group("blended, blended with, blended together", 0.9, symmetric=True),
    Group("homogenized, homogenized with", 0.9, symmetric=True),
    Group("parallel to, parallel with", 0.95, symmetric=True),
    Group("perpendicular to, at right angle to", 0.9, symmetric=True),
    Group("facing each other", symmetric=True),
    Group("opposite, opposite to, across from", 0.85, symmetric=True),
    Group("intertwined, intertwined with, twisted together, entangled with", 0.85, symmetric=True),
    Group("interlocked, interlocked with", 0.9, symmetric=True),
    Group("left of, to left of", 0.95, "right of, to right of"),
    Group("filled with, full of", 0.9),
    Group("hanging from, hung from, hanging on, hung on, suspended from", 0.9),
    Group("covering, cover, draped over", 0.9, "covered by, covered with"),
    Group("submerged in, immersed in", 0.9),
    Group("inserted in, inserted into, plugged into, plugged in", 0.85, "", "unplugged from"),
    Group("wrapped around, wound around, coiled around", 0.85, "wrapped in, wrapped with"),
    Group("leaning on, leaning against, propped against", 0.85),
    Group("pressed against, pushed against, pressed on", 0.85),
    Group("threaded through, passed through", 0.85),
    Group("facing, oriented toward, pointed at, pointed toward, directed at", 0.8),
)

#: States of one object, whether the plan writes them as a relation or as an affordance.
STATES = (
    Group("open, opened", 0.95, opposite="closed, shut"),
    Group("wet, wetted", 0.95, opposite="dry, dried"),
    Group("clean, cleaned", 0.95, opposite="dirty, soiled, unclean"),
    Group("free of food residue, free of residue, residue free, free of dirt, free of debris, spotless", 0.85),
    Group(
        "on, switched on, turned on, powered on, activated, active, in on position, state activated",
        0.9,
        opposite="off, switched off, turned off, powered off, deactivated, inactive, in off position",
    ),
    Group("locked, latched", 0.85, opposite="unlocked, unlatched"),
    Group("sealed", opposite="unsealed"),
    Group("full", 0.9),
    Group("filled", 0.9),
    Group("empty, emptied, drained empty", 0.9),
    Group("partially filled, partly filled, half full, half filled, partially empty, partly empty", 0.85),
    Group("attached, connected, fastened, affixed", 0.85, opposite="detached, disconnected, unattached"),
    Group("plugged in, plugged", 0.95, opposite="unplugged"),
    Group("hot, heated, heated up", 0.9),
    Group("cold, chilled", 0.9),
    Group("frozen", opposite="thawed, defrosted"),
    Group("raw, uncooked", 0.95, opposite="cooked"),
    Group("folded", opposite="unfolded"),
    Group("wrapped", opposite="unwrapped"),
    Group("covered", opposite="uncovered"),
    Group("peeled", opposite="unpeeled"),
    Group("tied, knotted", 0.85, opposite="untied"),
    Group("tight, tightened", 0.95, opposite="loose, loosened"),
    Group("raised, lifted, elevated", 0.85),
    Group("lowered", 0.85),
    Group("extended", opposite="retracted"),
    Group("engaged", opposite="disengaged"),
    Group("assembled", opposite="disassembled, dismantled"),
    Group("inflated, pumped up", 0.9),
    Group("deflated, flat without air", 0.9),
    Group("intact, undamaged, unbroken", 0.9, opposite="broken, damaged"),
    Group("visible, in view, in sight", 0.9, opposite="hidden, invisible, out of view"),
    Group("stable, stabilized, steady, steadied", 0.85, opposite="unstable, unsteady, wobbly"),
    Group("stationary, still, motionless, immobile, at rest", 0.85, opposite="moving, in motion"),
    Group("sharp, sharpened", 0.9, opposite="dull, blunt"),
    Group("upright, standing upright", 0.95),
    Group("melted, molten", 0.9),
    Group("illuminated, lit, lit up", 0.9, opposite="unlit"),
    Group("homogeneous, homogenous, homogenized, evenly mixed", 0.85),
    Group("occupied", opposite="unoccupied, vacant"),
    Group("chopped, chopped up, cut into pieces", 0.8),
    Group("diced, cubed, cut into cubes", 0.9),
    Group("sliced, cut into slices", 0.9),
    Group("sterile, sterilized, aseptic", 0.9, opposite="contaminated"),
    Group("sanitized, disinfected", 0.9),
    Group("charged", opposite="discharged"),
    Group("aligned", opposite="misaligned"),
    Group("centered, centred", 0.95),
    # what an object lends itself to
    Group("accessible, reachable, within reach, in reach", 0.9, opposite="inaccessible, unreachable, out of reach"),
    Group("graspable, grippable, grabbable, holdable, grabable, gripable", 0.9),
    Group("movable, moveable, relocatable", 0.9, opposite="immovable"),
    Group("liftable, able to be lifted, pickable", 0.85),
    Group("cuttable, sliceable, choppable, slicable", 0.8),
    Group("ready for use, ready to use, usable, useable, operational", 0.8),
    Group("ready to eat, ready for eating, ready for consumption", 0.9),
    Group("ready to serve, ready for serving, servable", 0.85),
    Group("operable, operational for use, actuable", 0.85),
)

#: What follows from what: phrases, what each of them implies, and how surely. With "not" before it a phrase does
#: not hold; "~" before it turns its arguments round. What follows from a denial is worked out from the same lines.
#: Between relations. "Removed from" says where a thing was, whichever way it was there.
RELATION_IMPLIES = (
    ("removed from, taken out of, extracted from, out of, withdrawn from, pulled out of, taken from", "not in", 0.85),
    ("removed from, taken off, taken from, lifted off, lifted from", "not on", 0.85),
    ("removed from, unscrewed from, unbolted from, uninstalled from", "not attached to", 0.85),
    (
        "submerged in, dissolved in, inserted in, poured into, enclosed in, loaded in, loaded into, packed in",
        "in",
        0.85,
    ),
    ("filled with", "~in", 0.85),
    ("stacked on, balanced on, spread on, spread over", "on", 0.85),
    (
        "glued to, taped to, screwed to, screwed onto, bolted to, clipped to, welded to, soldered to",
        "attached to",
        0.85,
    ),
    ("tied to, hooked to, clamped to, sewn to, pinned to, nailed to, installed on, stuck to", "attached to", 0.8),
    ("picked up, carrying, lifting, pinching", "holding", 0.85),
    ("holding", "contacting", 0.85),
    # what lies on a thing touches it; not so for "above"
    ("on", "contacting", 0.8),
    ("pressed against, leaning on", "contacting", 0.85),
    ("next to", "near", 0.9),
    ("separated from", "not contacting", 0.8),
    ("separated from", "not attached to", 0.8),
    ("blended, homogenized", "mixed", 0.85),
    ("mixed", "combined", 0.85),
    # two places that exclude each other; but what is not above need not be below
    ("above", "not ~above", 0.9),
    ("left of", "not ~left of", 0.9),
    # of a relation the first object has the state
    ("filled with", "filled", 0.85),
    ("covering", "~covered", 0.85),
)

#: Between states. Contraries stand as "not": a hot pan is not cold, but what is not cold need not be hot.
STATE_IMPLIES = (
    ("sealed", "closed", 0.85),
    ("locked", "closed", 0.8),
    ("airtight, air tight, watertight, hermetically sealed", "sealed", 0.85),
    ("sterile, sanitized, free of food residue, washed", "clean", 0.8),
    ("soaked, soaking wet, drenched, submerged", "wet", 0.85),
    ("damp, moist, moistened", "not dry", 0.8),
    # "filled" may mean to the brim, or that there is something in it
    ("full", "filled", 0.9),
    ("filled", "full", 0.75),
    ("full, filled, partially filled", "not empty", 0.9),
    ("empty, partially filled", "not full", 0.9),
    ("empty", "not filled", 0.9),
    ("preheated", "hot", 0.85),
    ("hot", "not cold", 0.9),
    ("frozen", "cold", 0.8),
    ("raised", "not lowered", 0.9),
    ("inflated", "not deflated", 0.9),
    ("diced, sliced, chopped, minced, shredded, halved, quartered", "cut", 0.85),
    ("diced", "chopped", 0.8),
    ("boiled, fried, baked, roasted, steamed, grilled, cooked through", "cooked", 0.85),
)

#: Words of degree and care, and which of them say the same: "tightly sealed" is sealed, but "sealed" is not yet
#: tightly sealed.
ADVERBS = {
    word: group.split()[0]
    for group in (
        "fully completely entirely totally thoroughly",
        "securely firmly tightly safely stably steadily",
        "evenly uniformly homogeneously",
        "properly correctly precisely well",
        "carefully gently",
        "physically",
        "directly",
        "clearly",
    )
    for word in group.split()
}

#: Words that say nothing of their own: "now hot" is hot.
FILLERS = _listed("is are be been being was were now already currently the")

#: Words before a preposition that say no more than it does: "positioned under" is "under".
POSTURE = _listed("""
    placed positioned located situated resting rested rests sitting sits lying lies laid standing stands set put
    kept stored remaining left dropped
""")
PREPOSITIONS = _listed("""
    in inside into within on onto upon atop above over below under beneath underneath near next beside adjacent
    alongside close outside against between
""")

#: Before a relation or state they turn it round: "not inside", "no longer inside".
DENIALS = (("no", "longer"), ("not",), ("isnt",), ("never",))

#: Words of a place's name that leave it the same place: the refrigerator's interior is the refrigerator.
PARTS = _listed("interior inside surface area space")

#: Modifiers that tell a thing from another of its kind: never drop them.
TELLING = _listed("""
    left right upper lower top bottom front back rear middle inner outer first second third fourth last next other
    another new old remaining rest half spare extra empty full used unused clean dirty broken main secondary outside
    both two three four several all toy fake non each
""")

#: Modifiers that tell what a thing does at the moment, beside all words of STATES: "boiling water" was not always so.
PASSING = _listed("boiling running flowing burning steaming rotating spinning warm cool fresh ready finished")

#: Names of the same thing, word by word.
ALIASES = {
    "fridge": "refrigerator", "tap": "faucet", "countertop": "counter", "worktop": "counter", "benchtop": "bench",
    "stovetop": "stove", "cooktop": "stove", "hob": "stove", "bike": "bicycle", "tyre": "tire", "colour": "color",
    "tabletop": "table", "tv": "television", "knives": "knife", "leaves": "leaf", "loaves": "loaf", "halves": "half",
    "shelves": "shelf", "teeth": "tooth", "feet": "foot", "skillet": "pan", "grey": "gray",
    "chopping": "cutting", "aluminium": "aluminum", "scissor": "scissors", "colored": "color", "coloured": "color",
}  # fmt: skip

#: What can be in two places at once because some of it is left behind: leaving one place is not told by the other.
STUFF = _listed("""
    water milk oil air gas steam liquid fluid solution buffer dye ink paint glue sauce soup broth juice coffee tea
    wine beer syrup honey flour sugar salt pepper spice rice cereal grains pasta dough batter mixture ingredients
    food meat powder sand soil dust soap detergent foam butter cream cheese seasoning vinegar sample stock residue
    debris
""")

#: Places that other places are in: what is on the table may be in the kitchen too.
WIDE = _listed("""
    kitchen room garage workshop bathroom house lab laboratory yard garden office workspace area station scene view
    floor ground
""")

#: What may stand after what it holds: "held(cube, gripper)".
HOLDERS = _listed("hand gripper finger fingers thumb thumbs tongs tweezers arm robot person human user agent operator")

#: What opens and closes for all of the thing that has it: an open refrigerator door is an open refrigerator.
DOORS = _listed("door lid cap cover hatch flap")
