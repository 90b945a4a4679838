"""Static verification of LLM serving benchmark recipes."""

__version__ = "0.1.0"
