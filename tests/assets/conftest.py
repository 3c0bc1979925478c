"""pytest adds this folder to the import path, so that its tests can import ``in_node``."""
