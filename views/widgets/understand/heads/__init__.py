"""What the page “heads” is made of."""
