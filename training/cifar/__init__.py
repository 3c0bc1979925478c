"""How the vision transformer for photos is trained, on CIFAR-10."""
