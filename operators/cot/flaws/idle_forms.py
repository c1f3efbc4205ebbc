"""Steps that leave everything as it is: how they are worded, and of which things they can be said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dataflow_ext.text.tokens import stem

#: Of what a step can be said: of any thing, of what is picked up somewhere in the plan, of what opens and closes.
Kind = Literal["any", "carried", "opened"]


@dataclass(frozen=True, slots=True)
class Form:
    """A step that serves nothing: its wording, and what it does, told of "it" in a reason.

    ``{}`` stands for the thing, ``{it}`` for it or them. ``cues`` are stems of words of plans that such a step might
    serve after all.
    """

    kind: Kind
    text: str
    does: str
    cues: frozenset[str]


# Each puts things back as they were, or finds out what no step needs: that is what a proof rests on. The cues tell
# plans in which it would be of use, or in which a thing must not be touched in this way.
_FORMS: Mapping[Kind, tuple[tuple[str, str, str], ...]] = {
    "any": (
        ("Check the {} for a price tag", "looks for a price on the {}", "price tag buy sell shop cost label"),
        ("Check the {} for the name of its maker", "looks for a maker's name on the {}", "maker brand manufacturer"),
        ("Label the {} with its price", "puts a price on the {}", "price tag buy sell shop cost label mark"),
        ("Measure the width of the {} twice", "finds out how wide the {} is", "width wide size fit measure gauge"),
        ("Count the scratches on the {}", "finds out how scratched the {} is", "scratch damage wear polish sand"),
        ("Note down the colour of the {}", "records a colour of the {}", "colour color record note paint dye"),
        ("Estimate the age of the {}", "guesses the age of the {}", "age old fresh expiry expire date rot"),
        ("Place a hand on the {} and take it away again", "touches the {}", "warm temperature feel"),
        ("Wipe the same spot of the {} over and over", "rubs one spot of the {}", "wipe clean dirt dust wash dry"),
        ("Turn the light above the {} off and on again", "switches a light over the {}", "light lamp dark illuminate"),
        ("Wait next to the {} and then step back", "passes time next to the {}", "wait rest soak cool dry cure stand"),
        ("Tell the others the origin of the {}", "tells the origin of the {}", "tell origin teach explain guest"),
        (
            "Write down how much the {} once cost",
            "records what was paid for the {}",
            "price buy sell cost record write",
        ),
        ("Compare the {} with an older one", "compares the {} with an older one", "compare replace new match inspect"),
    ),
    "carried": (
        ("Carry the {} to another room and back", "takes the {} away and back", "deliver transport"),
        ("Pick up the {} and place {it} back on the same spot", "lifts the {} for a moment", "weigh"),
        ("Move the {} a little to the left and then back again", "moves the {} and moves it back", "adjust"),
        ("Turn the {} around once and leave {it} as before", "turns the {} full circle", "rotate spin"),
        ("Pass the {} from one hand to the other and back", "passes the {} to and fro", "juggle balance"),
        ("Set the {} aside and fetch {it} again at once", "puts the {} away and gets it back", "aside cool rest"),
        ("Weigh the {} in one hand and put {it} back", "guesses the weight of the {}", "weigh weight mass gram"),
        ("Hold the {} up to the light and put {it} back", "looks at the {} against the light", "light inspect see"),
    ),
    "opened": (
        ("Open and close the {} once more and leave {it} as before", "opens and closes the {}", "ventilate air"),
        ("Look at the hinges of the {} and walk on", "looks at the hinges of the {}", "hinge repair loose oil"),
    ),
}


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """All forms, in a fixed order."""
    return tuple(
        Form(kind, text, does, frozenset(map(stem, cues.split())))
        for kind, listed in _FORMS.items()
        for text, does, cues in listed
    )
