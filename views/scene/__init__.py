"""A trace as the browser gets it: numbers, rules, pictures and words in one blob of bytes."""
