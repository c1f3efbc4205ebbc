"""What the verbs of a recovery do: the work that steps consist of, by kinds, and what only makes ready for it."""

from __future__ import annotations

import re
from functools import lru_cache

from dataflow_ext.text import tokens


def listed(words: str) -> frozenset[str]:
    """The words of a list in a string."""
    return frozenset(words.split())


#: Work by kinds: two verbs of one kind may stand for each other ("swirl the flask", "invert it").
WORK = {
    "mix": "stir mix whisk blend swirl shake invert toss agitate combine knead beat fold churn homogenize distribute "
    "redistribute scramble",
    "cut": "cut chop slice dice saw trim snip mince carve shave grate peel split shear prune mow shred",
    "clean": "wipe wash clean rinse scrub brush polish sweep vacuum mop dust scour rub buff sanitize disinfect "
    "degrease flush scrape hose soak swab",
    "pour": "pour dispense decant drip ladle spoon sprinkle drizzle fill refill top add tip drain strain pump inflate "
    "expel squirt water feed transfer sieve sift",
    "put": "put place set lay insert slide tuck seat slot push press load deposit drop lower transfer move carry bring "
    "return hang stack mount rest plug thread feed pull draw drag roll slip position fit squeeze tap stuff pack plant",
    "fasten": "tighten screw fasten tie clip bolt attach connect join glue solder sew stitch pin tape staple nail "
    "rivet weld crimp clamp lock hook link bind buckle peg reattach reconnect",
    "close": "close shut seal cap cover",
    "open": "open unscrew unlock uncap unseal loosen pry lever unfasten untie detach disconnect unwrap undo",
    "heat": "heat cook boil simmer fry roast bake warm microwave toast sear melt saute grill steam",
    "dry": "dry blot wring",
    "drill": "drill bore pierce punch",
    "smooth": "sand file grind plane iron smooth flatten level press roll",
    "coat": "paint coat spread apply brush varnish grease smear rub frost butter spray",
    "wrap": "wrap pack cover fold roll tape",
    "write": "write mark label record note sketch",
    "dig": "dig plant sow bury",
    "test": "test taste measure weigh sample check read",
    "draw": "aspirate draw suck siphon withdraw",
}

#: What restores or improves the conditions of work, or looks at it: grip, place, tools, heat, cleanness, time.
CONDITION = listed(
    "hold grip regrip grasp regrasp steady stabilize restabilize secure brace support restrain clamp anchor "
    "immobilize align realign reposition adjust readjust straighten center centre level rotate turn tilt angle orient "
    "reorient reset shift reseat rearrange raise lift lower loosen tighten retighten check recheck inspect examine "
    "verify confirm look identify locate find see measure test watch wait pause stop let allow leave cool warm "
    "preheat chill reduce decrease increase use switch replace swap change exchange choose select get obtain borrow "
    "take pick grab collect retrieve fetch gather recover clean wipe rinse wash dry lubricate grease oil wax moisten "
    "wet dampen dust flour soften clear remove discard dispose throw empty untangle detangle unclog unjam unplug "
    "sharpen recharge charge plug hook wedge stand prop put place move set slow shorten bend fold open close shut "
    "spread widen enlarge dig punch mark refill rethread unpick undo unscrew back untwist release smooth flatten trim "
    "snip cut scrape sand prepare manipulate expose focus apply keep ask have call wear line slide push pull position "
    "reload free detach reconnect reattach lubricate lengthen slacken wring hone"
)

#: Of those, what moves or shapes what it is done to: done to a tool it may just as well be the work itself.
HANDLING = listed(
    "put place set move slide push pull position fold bend open close shut cut dig punch mark plug hook stand lower "
    "lift raise rotate turn tilt shift apply spread expose focus manipulate prepare keep line smooth flatten call "
    "wear see check recheck inspect examine verify confirm look identify locate measure test watch stop pause untwist "
    "reload back"
)

#: What brings the hand back to a thing, and nothing about the thing itself.
TAKE = listed("pick grab grasp regrasp grip regrip hold take retrieve collect fetch gather recover lift locate find")

#: What puts a thing right where it is: on the step's own things it may be all that was left to do.
PLACE = listed(
    "adjust readjust straighten align realign reposition center centre level rotate turn shift reseat rearrange line"
)

#: What only looks, hopes or prevents: an effect named after it is not brought about.
LOOK = listed(
    "check recheck inspect examine verify confirm look identify locate find see measure test watch wait pause avoid "
    "prevent do not never stop hold keep support steady ensure"
)

#: What keeps a thing in its place while it is worked on; kinds of work that bring a thing back to what it was.
HELPS = listed("hold support steady secure brace stabilize")
RESTORING = listed("clean dry")

#: Settings of a tool or a place: to change them is to improve a condition, whatever the verb.
SETTINGS = listed(
    "heat temperature flame speed pressure force angle height grip power volume flow rate tap motion motions stroke "
    "strokes movement movements"
)

#: Work on what has been begun, to its end; what makes up one's mind to go on as things are.
FINISH = listed("finish complete")
SKIP = listed("skip accept ignore tolerate")

#: What passes time or asks others: it may be all that a step needs, or nothing that helps it.
WAIT = listed("wait pause stop let allow leave ask call have keep see watch")

#: Work that says by its verb that it is done anew.
ANEW = listed("retry repeat redo restart resume reattempt attempt continue try start begin")
TRY = frozenset(["try", "attempt"])

_WORDS = re.compile(r"[^\W_]+")
_OTHER = listed(
    "continue proceed resume repeat retry redo restart try start begin go carry move finish complete avoid prevent "
    "ensure make break gain bring help restore maximize regain direct speak swing walk blow brush jiggle wiggle scoop "
    "position serve turn switch reach bend stretch tear count sort arrange organize unfold untie wet type chill "
    "freeze soften split transport treat trace catch knock click snap strike hammer pinch nudge twist guide touch "
    "light relight ignite ease work run overlap dip twist flick haul hoist crank wind unwind rewind roll unroll fan "
    "dab pat tamp smear bring drive force chisel crush pound mash whip thin thicken dilute season salt baste marinate "
    "thaw defrost rehang retie reload reinsert reconnect redraw reheat restring string stack unstack spin rock bounce "
    "bump jam jerk yank tug give slacken wrench heave ream rasp hone strop whet weigh counterweight balance trim clip "
    "calm soothe lead herd coax guide aim point steer park drive brake start stand sit kneel lean hang reroute route "
    "splice crimp strip bare expose shield protect mask screen patch mend repair fix darn replant repot uproot rake "
    "hoe mulch weed quench flux blow puff inhale purge vent bleed prime flush back spray mist squirt dampen restart "
    "reboot reinstall install uninstall download update upload log enter click select tap swipe connect pair unpair "
    "format save delete cancel undo quit launch zero tare calibrate recalibrate program reprogram shine gather "
    "scatter sprinkle strew heap pile bundle bunch sheathe tie untie knot unknot loop coil uncoil unspool spool "
    "massage stroke comb part section braid curl crease crumple refold unfold uncrumple flip upend invert tumble "
    "stagger space cross slit score notch groove countersink predrill pilot perforate prick pinch squash wiggle rub "
    "scratch pluck pop unhook unclip unbuckle unzip zip rezip button unbutton fit refit fill half dislodge extract "
    "eject expand create improve provide enable dissolve access reach"
)
_KIND = {verb: kind for kind, verbs in WORK.items() for verb in verbs.split()}
_KINDS: dict[str, frozenset[str]] = {
    verb: frozenset(kind for kind, verbs in WORK.items() if verb in verbs.split()) for verb in _KIND
}
_KNOWN = frozenset(_KINDS) | CONDITION | LOOK | SKIP | FINISH | ANEW | _OTHER


@lru_cache(maxsize=1 << 14)
def base(word: str) -> str | None:
    """The verb that a word is a form of, or None: "stirring", "re-stir" and "stirs" are "stir"."""
    if (joined := word.replace("-", "")) in _KNOWN:
        return joined
    if word.startswith("re") and (inner := base(word.removeprefix("re").removeprefix("-"))):
        return inner
    for ending in ("ing", "ed", "es", "s"):
        bare = word.removesuffix(ending)
        if bare != word:
            doubled = bare[:-1] if len(bare) > 2 and bare[-1] == bare[-2] else bare
            found = next((each for each in (bare, f"{bare}e", doubled) if each in _KNOWN), None)
            if found:
                return found
    return None


@lru_cache(maxsize=1 << 14)
def is_order(word: str) -> bool:
    """Whether a clause that begins with the word may be an order: a verb in its plain form."""
    bare = word.removeprefix("re").removeprefix("-") if word.startswith("re") else word
    return bool({word, word.replace("-", ""), bare} & _KNOWN)


def is_anew(word: str) -> bool:
    """Whether a verb says by itself that something is done once more: "re-scrub", "repeat"."""
    bare = word.removeprefix("re").removeprefix("-")
    return word in ANEW or (word not in CONDITION and word.startswith("re") and bare in _KINDS)


def kinds(verb: str) -> frozenset[str]:
    """The kinds of work that a verb in its plain form may stand for."""
    return _KINDS.get(verb, frozenset())


def words_of(text: str) -> list[str]:
    """The words of a text or of a name in lower case; underscores part words."""
    return _WORDS.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """What is common to a word's forms; "readable" and "reading" have one stem."""
    bare = word.lower()
    for ending in ("able", "ible"):
        if bare.endswith(ending) and len(bare) > 6:
            bare = bare.removesuffix(ending)
    return tokens.stem(bare)


@lru_cache(maxsize=64)
def stemmed(words: str) -> frozenset[str]:
    """The stems of the words of a list in a string."""
    return frozenset(map(stem, words.split()))
