"""Validation of arguments: their shapes, their entries and the messages that refuse them."""
