"""From an input to ``X``: one module a front door, each ending in a trace whose last stage is X."""
