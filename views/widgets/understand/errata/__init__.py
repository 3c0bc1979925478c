"""What the page “trust nothing” is made of."""
