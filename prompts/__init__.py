"""Prompt texts, one template file a prompt, and the small classes that name and fill them."""

from prompts.cot import CoTQuestionPrompt, CoTReasoningPrompt
from prompts.game import GameCardPrompt, GameLightPrompt, GameNumbersPrompt
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
    "QAExtractPrompt",
    "SceneChainPrompt",
    "SceneCoTPrompt",
    "SceneInstructionPrompt",
    "SceneJudgePrompt",
    "SceneSystemPrompt",
    "SceneTurnPrompt",
]
