"""Where the matrices of attention come from."""
