"""What the page “by hand” is made of."""
