"""Sign-offs on GitHub: what a reviewer's text says, and what the checks make of it.

Everything here but `run` is pure: text and facts in, values out.
"""
