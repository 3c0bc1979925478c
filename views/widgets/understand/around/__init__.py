"""What the page “around it” is made of."""
