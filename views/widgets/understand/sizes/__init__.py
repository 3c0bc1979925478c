"""What the page “standard sizes” is made of."""
