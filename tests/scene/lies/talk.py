"""What a writer says beside the facts: impressions, plans, wishes and design talk that claim nothing measurable."""

#: Ways to begin.
OPENINGS = (
    "Looking at the picture first, I try to read the room as somebody who walks in for the first time.",
    "The view from above tells me most of what I need to know at this point.",
    "Let me think about where we are before I touch anything.",
    "The brief is clear enough, so the question is simply what comes next.",
    "At this stage I care more about the bones of the room than about its charm.",
    "Before deciding, I compare the two views and look for what disturbs me.",
    "This is a {room} that is meant to be lived in, not a showroom.",
    "What the user asked for is a {room} that works day after day.",
)
#: Anywhere in the middle.
ASIDES = (
    "I would rather do a few things well than fill every metre.",
    "A calm arrangement is worth more here than one more accent.",
    "None of this has to be perfect yet; it has to be a sound base.",
    "It seems to me that the layout wants a little more discipline.",
    "People need to walk through without thinking about it.",
    "Good rooms leave some air between the things in them.",
    "Comfort and a clear route matter more to me than symmetry.",
    "The eye should be able to rest somewhere.",
    "I am not going to chase a perfect alignment for its own sake.",
    "In a real home one would want to reach everything without squeezing past something.",
    "Light colours and warm materials would suit the mood, but the plan comes first.",
    "If I had to name one principle, it would be that large pieces lead and small ones follow.",
    "Perhaps I am being cautious, yet I prefer steps that can be checked at a glance.",
    "It does not need much explaining, though the details deserve a moment.",
)
#: On later turns, without naming anything.
PLANS = (
    "Finer touches can follow in a later turn.",
    "The smaller accents may wait until the main things are settled.",
    "Whatever is still missing can be dealt with afterwards.",
    "Later on I might come back to the finer proportions.",
    "There will be time for decoration once this holds together.",
)
#: At the end of a turn.
CLOSINGS = (
    "That is as much as I want to do in one go.",
    "I am content with that as a step.",
    "With this I can look at the room afresh next time.",
    "It is a modest step, but a useful one.",
    "All in all the room gains from it.",
    "",
    "",
)
#: Why one does something, without a claim about the room.
REASONS = {
    "add": (
        "which gives the room something it can be used for",
        "because the scheme asks for it",
        "since daily life here will need it",
        "to give that part of the room a purpose",
        "as the next piece in order of importance",
    ),
    "move": (
        "so that the arrangement reads better",
        "because the present spot is not the one I want",
        "to tidy up the layout",
        "which is a small correction, not a new idea",
    ),
    "rotate": (
        "so that it is oriented the way I intend",
        "because its present orientation does not serve anybody",
        "which corrects how it looks into the room",
    ),
    "scale": (
        "so that its proportions suit what I have in mind",
        "to bring its size in line with the scheme",
    ),
    "replace": (
        "because the new one suits the style better",
        "since I prefer the look of the newcomer",
        "to change the character without touching the layout",
    ),
    "remove": (
        "as I do not need it for what this room is meant to be",
        "because it adds little to the scheme",
        "to simplify the picture",
    ),
}
QUESTIONS = (
    "What do I notice first?",
    "What does the plan tell me?",
    "How does the room stand right now?",
    "What is already settled?",
)
DOING = ("So what do I do?", "Which step follows from that?", "What, then, is the move?", "What changes now?")
CHECKING = ("Does it hold up?", "And afterwards?", "What does that leave?", "Is the result sound?")
