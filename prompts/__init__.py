"""Prompt texts, one template file a prompt, and the small classes that name and fill them."""

from prompts.pdf import QAExtractPrompt

__all__ = ["QAExtractPrompt"]
