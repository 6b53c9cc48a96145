"""Results for people and programs. Nothing is computed here.

Each sink is given the pages one by one and then, once, the whole: `add(result)`, `finish(outcome)`.
"""
