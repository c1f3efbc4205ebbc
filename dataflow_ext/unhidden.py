"""Imported by each pipeline before operators: where a folder of the user's hides ours, one sentence says so."""

from dataflow_ext.packages import must_not_be_hidden

must_not_be_hidden()
