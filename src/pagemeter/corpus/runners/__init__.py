"""How pages are evaluated: in this process, on several, or on many machines; results come in order."""
