"""Operators for rooms and for conversations that edit them."""
