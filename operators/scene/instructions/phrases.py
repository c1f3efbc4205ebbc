"""The sentences that rules write instructions from; words in braces are filled from the room."""

from __future__ import annotations

from collections.abc import Mapping

#: Moods that every room may be wished to have.
MOODS = ("comfortable", "cozy", "calm", "welcoming", "tidy", "pleasant", "relaxing", "practical", "inviting", "restful")

BRIEF_A = (
    "I want {a_mood_room}.",
    "I'd like {a_mood_room}.",
    "Please give me {a_mood_room}.",
    "I'm hoping for {a_mood_room}.",
    "Could you make this {a_mood_room}?",
    "Help me turn this into {a_mood_room}.",
    "All I want is {a_mood_room}.",
    "Make {a_mood_room} out of this.",
)
BRIEF_B = (
    "Create {a_styled_room} with {pieces}.",
    "Set up {a_styled_room} with {pieces}.",
    "Furnish {a_styled_room} with {pieces}.",
    "Please put together {a_styled_room} that has {pieces}.",
    "Design {a_styled_room} around {pieces}.",
    "I'd like {a_styled_room} with {pieces}.",
    "Turn this into {a_styled_room} with {pieces}.",
    "Give me {a_styled_room} that includes {pieces}.",
)
BRIEF_C = (
    "I need {a_styled_room} with {quality}.",
    "I need {a_styled_room} that has {quality}.",
    "We need {a_styled_room} with {quality}.",
    "What I need is {a_styled_room} with {quality}.",
    "I'm looking for {a_styled_room} with {quality}.",
    "My {room} should offer {quality}.",
)

OPENINGS = (
    "I'd like to furnish my {room} properly.",
    "Please help me furnish {a_room}.",
    "I'm setting up {a_room}.",
    "This is to become {a_room}.",
    "I want to put together {a_styled_room}.",
    "We have just moved in and {the_room} is far from finished.",
    "I have {a_room} to furnish and a fairly clear idea of it.",
    "Let's plan {a_styled_room}.",
)
CLOSINGS = (
    "Please leave enough space to walk around.",
    "Everything should be easy to reach.",
    "Nothing should stand in the way.",
    "It should feel finished, not crowded.",
    "Start with the large pieces and add the rest around them.",
    "I'd like it to feel {mood} in the end.",
    "Overall it should be {a_mood_room}.",
    "Please keep the pieces from crowding each other.",
)

FIRST = (
    "It should have {pieces}.",
    "I need {pieces}.",
    "Please put in {pieces}.",
    "The main pieces are {pieces}.",
    "I want {pieces} in it.",
    "What has to be there: {pieces}.",
)
THEN = (
    "Besides, I'd like {pieces}.",
    "Add {pieces} as well.",
    "I also want {pieces}.",
    "Then there should be {pieces}.",
    "To complete it, bring in {pieces}.",
    "{pieces_up} would round it off.",
)

#: What a family of furniture is for, by category, in sentences with ``{pieces}``.
CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "bed": ("For sleeping I need {pieces}.", "The most important thing is {pieces} for a good night's rest.",
            "To sleep well, I want {pieces}."),
    "sofa": ("To lounge on, there should be {pieces}.", "For relaxing I want {pieces}.",
             "The place to unwind is {pieces}."),
    "seat": ("To sit on, I need {pieces}.", "As seats I'd like {pieces}.", "There should be {pieces} to sit on."),
    "table": ("I also need surfaces: {pieces}.", "To put things down, I want {pieces}.",
              "To set things on, I'd like {pieces}."),
    "desk": ("To work or get ready, I need {pieces}.", "I want {pieces} to sit down at.",
             "There should be {pieces} to use every day."),
    "storage": ("For storage I'd like {pieces}.", "My things should go into {pieces}.",
                "To keep everything tidy, there should be {pieces}."),
    "shelf": ("Books and small things need {pieces}.", "To put things on display, I want {pieces}.",
              "I'd like {pieces} to keep things at hand."),
    "lamp": ("For light I want {pieces}.", "The light should come from {pieces}.",
             "In the evening, {pieces} should light the room."),
    "plant": ("Something green would be nice: {pieces}.", "I'd like {pieces} to bring in some life.",
              "Please add {pieces} for a fresh touch."),
    "rug": ("On the floor I'd like {pieces}.", "To make the floor softer, add {pieces}."),
    "appliance": ("I also need {pieces}.", "There should be {pieces}, too."),
}  # fmt: skip

#: What is wanted of the look, as far as the descriptions have it.
STYLE = (
    "The style should be {styles}.",
    "I like things {styles}.",
    "I'm drawn to {styles} design.",
    "Go for {a_styles} look.",
)
COLOURS = (
    "As for colours, I think of {colours}.",
    "The palette should rest on {colours}.",
    "Please work with {colours}.",
    "I'd love {colours} in the furniture.",
)
MATERIALS = (
    "I like {materials} pieces.",
    "{materials_up} surfaces should set the tone.",
    "Let there be something {materials}.",
)
SHOWPIECE = (
    "{pieces_up} would suit it well.",
    "I picture {pieces} in it.",
    "{pieces_up} should set the mood.",
    "At the heart of it I imagine {pieces}.",
)

#: What one does with a family of furniture, in sentences with ``{pieces}``.
ACTIVITIES: Mapping[str, tuple[str, ...]] = {
    "bed": ("I like to sleep in at weekends, so {pieces} matters most.",
             "After a long day there should be {pieces} waiting.",
            "I read before I fall asleep, so I need {pieces} to stretch out on."),
    "sofa": ("In the evenings I like to put my feet up, so I want {pieces}.",
             "Friends come over a lot; {pieces} would suit us.",
             "Sundays are for doing nothing, so there has to be {pieces}."),
    "seat": ("When somebody drops by, there should be {pieces} to sit on.",
             "I like company, so I need {pieces}.",
             "I sit a lot during the day and want {pieces} for that."),
    "table": ("We like to sit together over food or games, so plan {pieces}.",
             "I need {pieces} to put things down while I relax.",
              "We eat, play and talk a lot, and {pieces} would help with that."),
    "desk": ("I do paperwork now and then, so I need {pieces}.",
             "Every morning I sit down for a while, so I want {pieces}.",
             "I need {pieces} where I can concentrate on what I do."),
    "storage": ("I own a lot of things, so there should be {pieces} to hold them.",
                "I like to have everything put away, so I need {pieces}.",
             "Mess makes me nervous, so please plan {pieces}."),
    "shelf": ("I collect all sorts of things and need {pieces}.",
             "I like to see my favourite things, on {pieces}."),
    "lamp": ("I'm often up late, so I want {pieces}.",
             "I like to read when it is dark, so there has to be {pieces}.",
             "My evenings are long, so please think of {pieces}."),
    "plant": ("I like to look at something green, so I want {pieces}.",
             "It cheers me up to have {pieces} around."),
    "appliance": ("I'd also use {pieces} every day.",),
    "rug": ("I like to go barefoot, so please add {pieces}.",),
}  # fmt: skip

LAYOUT = (
    "I'd like {wish}.",
    "Please place {wish}.",
    "I imagine {wish}.",
    "I want {wish}.",
    "Best would be {wish}.",
)
#: What each room may be asked for where nothing can be said of its layout.
LAYOUT_HAS = ("It has to make room for {pieces}.", "{pieces_up} must find a good place.", "Find a place for {pieces}.")

GOALS = (
    "Apart from that, it should simply be {a_mood_room}.",
    "The rest is up to you, as long as it feels {mood}.",
    "In general I want to feel at ease there.",
    "It should be easy to keep clean.",
    "Otherwise I trust your taste.",
    "I want to enjoy spending time there.",
)

#: Qualities that a family of furniture gives a room.
QUALITIES: Mapping[str, tuple[str, ...]] = {
    "lamp": ("good lighting", "enough light in the evening", "pleasant light"),
    "storage": ("enough storage space", "room to put things away", "plenty of storage"),
    "shelf": ("space for books and small things", "enough storage space"),
    "bed": ("a good place to sleep", "a comfortable place to rest"),
    "sofa": ("a comfortable place to relax", "a good spot to unwind"),
    "desk": ("a proper place to work", "a spot to get things done"),
    "seat": ("enough seating", "a good place to sit"),
    "plant": ("some greenery", "a touch of green"),
    "table": ("enough surface to put things on", "a spot to put things down"),
}
#: What is said of a room of which nothing is known.
QUALITY = ("everything in its place", "a clear order", "a good feel to it")
