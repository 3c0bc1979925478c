"""What the page “order” is made of."""
