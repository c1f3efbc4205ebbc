"""The pictures of the example set, the questions about them, and the truth about both."""
