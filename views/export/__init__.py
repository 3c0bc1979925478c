"""What leaves the app: files, notebooks and the gallery, with the bundler of assets."""
