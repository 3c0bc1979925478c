"""What the page “√d_k” is made of."""
