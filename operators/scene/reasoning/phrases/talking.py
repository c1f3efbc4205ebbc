"""What holds a text together: openings, turns of thought, questions."""

PHRASES = {
    "strategy": (
        "The plan is simple: {plan}.",
        "My approach: {plan}.",
        "The strategy is to {plan}.",
        "What I want to do is {plan}.",
        "The way to go is to {plan}.",
    ),
    "strategy.params": (
        "Now to the numbers.",
        "The values follow from that.",
        "As to the exact values:",
        "In detail:",
        "Why these values?",
    ),
    "check": (
        "What comes of it?",
        "Checking the result:",
        "After that, a look at the effects.",
        "Does it hold?",
        "To verify:",
    ),
    "priority.big": (
        "The order of importance is clear: what is large and fixes the layout comes first, small things wait.",
        "Priority goes to the pieces that everything else depends on; decoration can wait.",
        "At this stage the big decisions count most.",
        "First things first: the furniture that defines the room, then what goes with it.",
    ),
    "priority.small": (
        "The large pieces are settled, so details are what matters at this stage.",
        "With the main furniture in place, attention can go to smaller things.",
        "What matters now is to round off the room without disturbing what works.",
        "The frame stands; the priority is now on finishing touches.",
    ),
    "priority.mend": (
        "What is wrong comes before what is new, so the first priority is to put things right.",
        "Mending goes first: there is little use in adding to a room with faults.",
        "The most pressing matter is a fault in what is there.",
    ),
    "priority.adjust": (
        "What stands in the room can be tuned before more comes in.",
        "The priority of this step is to adjust what is there.",
        "This step is for adjustments; everything else can wait.",
    ),
    "priority.both": (
        "Two things matter here: what is there should be right, and what is still missing should come in.",
        "The step has two aims, to adjust what is there and to bring in what is missing.",
        "I weigh adjusting against adding, and both have their part in this step.",
    ),
    "also": (
        "Beyond that:",
        "Next to that,",
        "Besides,",
        "At the same time,",
    ),
    "q.see": (
        "What do I see?",
        "What is the state of the room?",
        "What is there to work with?",
        "Where does the room stand?",
    ),
    "q.problem": (
        "Is anything wrong with it?",
        "Which problems are there?",
        "What is the weak point?",
        "Does anything call for attention?",
    ),
    "q.next": (
        "What should come next?",
        "What does the room need now?",
        "What is the most useful thing to do?",
        "So what is to be done?",
    ),
    "q.how": (
        "How exactly?",
        "Where to, and with which values?",
        "Which numbers does that give?",
        "What are the right values?",
    ),
    "q.holds": (
        "Does the result hold?",
        "Does that cause new trouble?",
        "Is the room better off?",
        "What does it do to the rest?",
    ),
    "q.done": (
        "Is the room finished?",
        "Is there anything left to do?",
        "Can I stop here?",
    ),
    "q.has": (
        "What does it have?",
        "What is in it now?",
        "Is everything there that was asked for?",
    ),
    "clear.one": (
        "{name} is clear of everything there.",
        "There {name} is clear of everything else.",
        "In that spot {name} is clear of all that is there.",
        "{name} is clear of all other pieces there.",
    ),
    "clear.both": (
        "Both are clear of everything else.",
        "Then both are clear of all other pieces.",
    ),
    "clear.all": (
        "None of the {count} overlaps anything.",
        "All {count} are clear of everything else.",
    ),
    "clash.new": (
        "Then {it} overlaps {other} by {depth} m, which I accept for now.",
        "For now I accept that {it} overlaps {other} by {depth} m.",
    ),
    "clash.kept": (
        "Then {it} overlaps {other} by {depth} m, and the layout keeps this overlap.",
        "Then {it} overlaps {other} by {depth} m; that is part of the layout that is wanted.",
        "The layout keeps one overlap here: {it} overlaps {other} by {depth} m.",
    ),
    "out.kept": (
        "Then {share} % of {its} base is outside of the room, and the layout keeps it so.",
        "Then {share} % of {its} base lies beyond the outline, which is part of the layout that is wanted.",
    ),
    "wish": (
        "You want {wish}, so that is what this step is about.",
        "You want {wish}; before that I look at what there is.",
        "What you want is {wish}.",
        "You would like {wish}, and the rest can stay as it is.",
        "The wish is clear: {wish}.",
        "This is about one thing: you want {wish}.",
    ),
    "out.new": (
        "Then {share} % of {its} base is outside of the room, which I accept for now.",
        "For now I accept that {share} % of {its} base lies beyond the outline.",
    ),
    "space.left": (
        "The largest empty area is then {w} m by {d} m, in the {where}.",
        "An empty area of {w} m by {d} m stays open in the {where}.",
        "Afterwards the {where} still has {w} m by {d} m of open floor.",
    ),
    "more.near": (
        "The nearest piece to {name} is then {other}, {gap} m away.",
        "Next to {name} comes {other}, at a distance of {gap} m.",
        "Of all other pieces {other} is then the closest to {name}, with {gap} m between them.",
    ),
    "count.after": (
        "The room then holds {count} {pieces}.",
        "That makes {count} {pieces} in the room.",
        "After this step the room holds {count} {pieces}.",
    ),
    "think.so": ("So", "Therefore", "That is why", "For that reason"),
}
