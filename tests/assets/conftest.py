"""Its folder joins the import path, so that the tests in it reach ``in_node``."""
