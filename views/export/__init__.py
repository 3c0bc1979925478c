"""Exports: HTML files, notebooks and the gallery, with the bundler of assets."""
