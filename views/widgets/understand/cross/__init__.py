"""What the page “self or cross” is made of."""
