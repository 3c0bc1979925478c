"""What the page “masks” is made of."""
