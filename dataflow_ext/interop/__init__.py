"""Bridges to other projects' pipelines, each of which needs that project installed."""
