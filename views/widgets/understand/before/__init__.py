"""What the page “before attention” is made of."""
