"""What the page “softmax” is made of."""
