"""Prompt texts, one template file a prompt, and the small classes that name and fill them."""

from pkgutil import extend_path

from prompts.cot import CoTQuestionPrompt, CoTReasoningPrompt
from prompts.curate import CurateReviewPrompt, CurateRowPrompt
from prompts.game import GameCardPrompt, GameLightPrompt, GameNumbersPrompt
from prompts.onevision import (
    OneVisionBlindPrompt,
    OneVisionDescribePrompt,
    OneVisionFactsPrompt,
    OneVisionImagePrompt,
    OneVisionJudgedPrompt,
    OneVisionJudgePrompt,
    OneVisionRewritePrompt,
    OneVisionRowPrompt,
)
from prompts.pdf import QAExtractPrompt
from prompts.sampling import SampleJudgedPrompt, SampleJudgePrompt, SampleQuestionPrompt, SampleSolvePrompt
from prompts.scene import (
    SceneChainPrompt,
    SceneCoTPrompt,
    SceneInstructionPrompt,
    SceneJudgePrompt,
    SceneSystemPrompt,
    SceneTurnPrompt,
    SceneWordingPrompt,
)

__path__ = extend_path(__path__, __name__)  # a folder of this name elsewhere on the path is imported from too

__all__ = [
    "CoTQuestionPrompt",
    "CoTReasoningPrompt",
    "CurateReviewPrompt",
    "CurateRowPrompt",
    "GameCardPrompt",
    "GameLightPrompt",
    "GameNumbersPrompt",
    "OneVisionBlindPrompt",
    "OneVisionDescribePrompt",
    "OneVisionFactsPrompt",
    "OneVisionImagePrompt",
    "OneVisionJudgePrompt",
    "OneVisionJudgedPrompt",
    "OneVisionRewritePrompt",
    "OneVisionRowPrompt",
    "QAExtractPrompt",
    "SampleJudgePrompt",
    "SampleJudgedPrompt",
    "SampleQuestionPrompt",
    "SampleSolvePrompt",
    "SceneChainPrompt",
    "SceneCoTPrompt",
    "SceneInstructionPrompt",
    "SceneJudgePrompt",
    "SceneSystemPrompt",
    "SceneTurnPrompt",
    "SceneWordingPrompt",
]
