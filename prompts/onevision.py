"""Prompts of the pipeline that turns LLaVA-CoT rows into R1-Onevision rows."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class OneVisionImagePrompt(Prompt):
    """Asks for a picture's type, a dense caption, and the things in it; constant, and without any question.

    >>> "{{" in OneVisionImagePrompt().text, "- physics_setup: " in OneVisionImagePrompt().text
    (False, True)
    """

    template: ClassVar[str] = "onevision_image.md"


class OneVisionDescribePrompt(Prompt):
    """Says what a formal description and its formal code are, for all types of pictures; the system prompt.

    >>> languages = ("scene_graph", "csv", "html", "mermaid", "spice", "predicates", "latex", "text")
    >>> [language for language in languages if f"\\n- {language}" not in OneVisionDescribePrompt().text]
    []
    """

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
    """Says what the reasoning has to be: role-play, grounded, in the question's language, or INSUFFICIENT.

    >>> OneVisionRewritePrompt().text.splitlines()[-1]
    'INSUFFICIENT'
    """

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
    """Asks for the answer to a question about a picture, without any hint at it; the system prompt.

    >>> "\\nAnswer: …\\n" in OneVisionBlindPrompt().text
    True
    """

    template: ClassVar[str] = "onevision_blind.md"


class OneVisionJudgePrompt(Prompt):
    """The rubric by which a row is judged; constant, so it is sent as the system prompt.

    >>> [f"{n}. {name}:" in OneVisionJudgePrompt().text for n, name in enumerate(("description", "grounding"), 1)]
    [True, True]
    """

    template: ClassVar[str] = "onevision_judge.md"


class OneVisionJudgedPrompt(Prompt):
    """One row for the judge: question, options, gold, description, reasoning, answer.

    >>> told = {"question": "How many?", "gold": "2", "description": "Two cars.", "reasoning": "One, two."}
    >>> "<row_gold>\\n2\\n</row_gold>" in OneVisionJudgedPrompt().fill(**told, options="", final="2")
    True
    """

    template: ClassVar[str] = "onevision_judged.md"
