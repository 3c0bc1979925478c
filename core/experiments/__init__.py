"""What the experiments measure and break: attention seen from outside, by the same verbs."""
