"""Prompt texts, one template file a prompt, and the small classes that name and fill them."""

from __future__ import annotations

from pkgutil import extend_path
from typing import ClassVar

from dataflow_ext.prompt import Prompt

__path__ = extend_path(__path__, __name__)  # a folder of this name elsewhere on the path is imported from too


class QAExtractPrompt(Prompt):
    """Asks for questions, answers and solutions as block ids; constant, so it is sent as the system prompt."""

    template: ClassVar[str] = "qa_extract.md"


class GameNumbersPrompt(Prompt):
    """Asks for the numbers on the three cards, from left to right."""

    template: ClassVar[str] = "game_numbers.md"


class GameLightPrompt(Prompt):
    """Asks for the colour of the light."""

    template: ClassVar[str] = "game_light.md"


class GameCardPrompt(Prompt):
    """Asks which card the result picture marks as the correct one."""

    template: ClassVar[str] = "game_card.md"


class CurateReviewPrompt(Prompt):
    """Says what a review points to, and the form of its reply; constant, so it is sent as the system prompt."""

    template: ClassVar[str] = "curate_review.md"


class CurateRowPrompt(Prompt):
    """One row in numbered sentences.

    >>> print(CurateRowPrompt().fill(question=[("q1", "Find 2 + 2.")], answer=[("a1", "4")], solution=[]))
    Question:
    [q1] Find 2 + 2.
    <BLANKLINE>
    Answer:
    [a1] 4
    <BLANKLINE>
    Solution:
    (none)
    """

    template: ClassVar[str] = "curate_row.md"


class SampleSolvePrompt(Prompt):
    """Asks for a reasoning and a boxed answer; constant, so it is sent as the system prompt."""

    template: ClassVar[str] = "sample_solve.md"


class SampleQuestionPrompt(Prompt):
    """A question as a solver sees it: the parts that it depends on, the problem, its options.

    >>> print(SampleQuestionPrompt().fill(earlier=["Find x."], problem="How long?", options=["A. 3 m", "B. 4 m"]))
    Earlier part 1: Find x.
    <BLANKLINE>
    How long?
    A. 3 m
    B. 4 m
    """

    template: ClassVar[str] = "sample_question.md"


class SampleJudgePrompt(Prompt):
    """Asks whether two answers to a question are the same, as JSON; the system prompt."""

    template: ClassVar[str] = "sample_judge.md"


class SampleJudgedPrompt(Prompt):
    """Two answers to one question; which is the gold one is not told.

    >>> print(SampleJudgedPrompt().fill(question="Why?", options=[], first="Rain.", second="It rains.")[:39])
    <question>
    Why?
    </question>
    <BLANKLINE>
    <answer_1>
    """

    template: ClassVar[str] = "sample_judged.md"


class CoTReasoningPrompt(Prompt):
    """Says what a reasoning has to be; constant, so it is sent as the system prompt."""

    template: ClassVar[str] = "cot_reasoning.md"


class CoTQuestionPrompt(Prompt):
    """One sample: its question, what of the plan it rests on, the required sentences and the gold answer.

    Filled with ``question``, ``context`` (pairs of a name and a text), ``anchors`` and ``answer``.

    >>> filled = CoTQuestionPrompt().fill(question="What next?", context=[("Goal", "Tea.")], anchors=[], answer="Pour.")
    >>> filled.splitlines()[2:4]
    ['Context', 'Goal: Tea.']
    """

    template: ClassVar[str] = "cot_question.md"


class OneVisionImagePrompt(Prompt):
    """Asks for a picture's type, a dense caption, and the things in it; constant, and without any question."""

    template: ClassVar[str] = "onevision_image.md"


class OneVisionDescribePrompt(Prompt):
    """Says what a formal description and its formal code are, for all types of pictures; the system prompt."""

    template: ClassVar[str] = "onevision_describe.md"


class OneVisionFactsPrompt(Prompt):
    """What is known of one picture: type, caption, boxes, read text, and the language of its formal code.

    >>> known = {"image_type": "physics_setup", "width": 640, "height": 480, "language": "predicates"}
    >>> found = {"detected": False, "objects": [], "read": True, "texts": ['"m=6kg" (10, 20, 60, 40)']}
    >>> print(OneVisionFactsPrompt().fill(**known, **found, caption="A pulley."))
    Type: physics_setup
    Size: 640 x 480 pixels
    Formal language of the code: predicates
    <BLANKLINE>
    Caption: A pulley.
    <BLANKLINE>
    Objects: nobody looked for them.
    <BLANKLINE>
    Text that was read, from top to bottom:
    - "m=6kg" (10, 20, 60, 40)
    """

    template: ClassVar[str] = "onevision_facts.md"


class OneVisionRewritePrompt(Prompt):
    """Says what the reasoning has to be: role-play, grounded, in the question's language, or INSUFFICIENT."""

    template: ClassVar[str] = "onevision_rewrite.md"


class OneVisionRowPrompt(Prompt):
    """One row to rewrite: question, options, description, source reasoning, answer.

    >>> told = {"question": "How many?", "description": "Two cars.", "reasoning": "One, two.", "answer": "2"}
    >>> print(OneVisionRowPrompt().fill(**told, options="", code="", language="English")[:60])
    Write in: English.
    <BLANKLINE>
    <row_question>
    How many?
    </row_question>
    """

    template: ClassVar[str] = "onevision_row.md"


class OneVisionBlindPrompt(Prompt):
    """Asks for the answer to a question about a picture, without any hint at it; the system prompt."""

    template: ClassVar[str] = "onevision_blind.md"


class OneVisionJudgePrompt(Prompt):
    """The rubric by which a row is judged; constant, so it is sent as the system prompt."""

    template: ClassVar[str] = "onevision_judge.md"


class OneVisionJudgedPrompt(Prompt):
    """One row for the judge: question, options, gold, description, reasoning, answer.

    >>> told = {"question": "How many?", "gold": "2", "description": "Two cars.", "reasoning": "One, two."}
    >>> "<row_gold>\\n2\\n</row_gold>" in OneVisionJudgedPrompt().fill(**told, options="", final="2")
    True
    """

    template: ClassVar[str] = "onevision_judged.md"


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
    """Asks for the four scores of a chain, as JSON; constant, so it is sent as the system prompt."""

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
