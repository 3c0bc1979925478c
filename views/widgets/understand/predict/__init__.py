"""What the page “predict, then reveal” is made of."""
