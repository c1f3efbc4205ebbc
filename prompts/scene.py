"""Prompts of the scene-editing pipeline."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class SceneSystemPrompt(Prompt):
    """The system message of every conversation that comes out: the task, the tools, the form of an answer.

    >>> "replace_object(jid_to_replace, new_object_description)" in SceneSystemPrompt().fill(pictured=True)
    True
    """

    template: ClassVar[str] = "scene_system.md"


class SceneInstructionPrompt(Prompt):
    """Asks for what a user would say who wants the finished room, or the changes of a furnished one.

    >>> told = {"wanted": "One sentence.", "room": "bedroom", "pieces": "- 1 bed", "focus": "bed"}
    >>> "It will hold:\\n- 1 bed" in SceneInstructionPrompt().fill(**told, changes="", words="", layout="")
    True
    """

    template: ClassVar[str] = "scene_instruction.md"


class SceneJudgePrompt(Prompt):
    """Asks for the four scores of a chain, as JSON; constant, so it is sent as the system prompt.

    >>> [f"0 to {most}:" in SceneJudgePrompt().text for most in (40, 35, 15, 10)]
    [True, True, True, True]
    """

    template: ClassVar[str] = "scene_judge.md"


class SceneChainPrompt(Prompt):
    """One chain for the judge: its instruction and its calls, turn by turn.

    >>> told = {"instruction": "I want a bed.", "room_type": "bedroom", "corners": "[]", "turns": "Turn 1:"}
    >>> print(SceneChainPrompt().fill(**told, objects="", pictures=2)[-86:])
    There are 2 pictures: picture 0 is the room at the start, picture 1 the finished room.
    """

    template: ClassVar[str] = "scene_chain.md"


class SceneCoTPrompt(Prompt):
    """Says what the reasoning of a turn has to be, in all five templates, and what may be claimed; the same for all
    turns, so it is the system prompt.

    >>> filled = SceneCoTPrompt().fill(claims="Measures: gap(thing, thing) m.")
    >>> all(f"\\n{letter}. " in filled for letter in "ABCDE")
    True
    """

    template: ClassVar[str] = "scene_cot.md"


class SceneTurnPrompt(Prompt):
    """One turn: instruction, room, fact sheet, calls, what was done before, and the template to follow.

    >>> lists = dict(facts=["Room: empty"], objects=[], earlier=[], calls=["add the bed"], changes=[])
    >>> turn = dict(number=1, total=3, template="B", room_type="bedroom")
    >>> SceneTurnPrompt().fill(instruction="A bed.", **turn, **lists).splitlines()[2]
    'Turn 1 of 3. Template: B'
    """

    template: ClassVar[str] = "scene_turn.md"


class SceneWordingPrompt(Prompt):
    """Asks whether the words of each sentence say what its marks say, as JSON; constant, so it is the system prompt.

    >>> "say what its marks say" in SceneWordingPrompt().fill(claims="Measures: gap(thing, thing) m.")
    True
    """

    template: ClassVar[str] = "scene_wording.md"
