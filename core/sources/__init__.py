"""From an input to ``X``: a module a front door, whose trace ends in X, and what they share."""
