"""The training of the vision transformer for photos, on CIFAR-10."""
