"""Prompt texts, one template file a prompt, and the small classes that name and fill them."""

from prompts.cot import CoTQuestionPrompt, CoTReasoningPrompt
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
from prompts.scene import (
    SceneChainPrompt,
    SceneCoTPrompt,
    SceneInstructionPrompt,
    SceneJudgePrompt,
    SceneSystemPrompt,
    SceneTurnPrompt,
)

__all__ = [
    "CoTQuestionPrompt",
    "CoTReasoningPrompt",
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
    "SceneChainPrompt",
    "SceneCoTPrompt",
    "SceneInstructionPrompt",
    "SceneJudgePrompt",
    "SceneSystemPrompt",
    "SceneTurnPrompt",
]
