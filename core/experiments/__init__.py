"""The computations of the experiment pages."""
