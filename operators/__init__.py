"""All operators, by the names that pipelines use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from operators.pdf.document_reader import DocumentReader
    from operators.pdf.generator import ChunkedPromptedGenerator
    from operators.pdf.hybrid import HybridGenerator
    from operators.pdf.mineru_input import MinerU2LLMInput
    from operators.pdf.output_parser import LLMOutputParser
    from operators.pdf.qa_merger import QA_Merger
    from operators.pdf.rules_model import PDFRules

_HOME = {
    "DocumentReader": "operators.pdf.document_reader",
    "ChunkedPromptedGenerator": "operators.pdf.generator",
    "HybridGenerator": "operators.pdf.hybrid",
    "MinerU2LLMInput": "operators.pdf.mineru_input",
    "LLMOutputParser": "operators.pdf.output_parser",
    "QA_Merger": "operators.pdf.qa_merger",
    "PDFRules": "operators.pdf.rules_model",
}

__all__ = [
    "ChunkedPromptedGenerator",
    "DocumentReader",
    "HybridGenerator",
    "LLMOutputParser",
    "MinerU2LLMInput",
    "PDFRules",
    "QA_Merger",
]

__getattr__ = lazy_names(__name__, _HOME)
