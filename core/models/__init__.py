"""Models: matrices written by hand, trained weights that ship, and readers' checkpoints."""
