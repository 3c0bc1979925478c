"""What the page “break it” is made of."""
