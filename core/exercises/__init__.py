"""Exercises: covered cells, judging of guesses, checks of printed numbers, effects of edits."""
