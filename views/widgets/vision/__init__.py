"""What a vision model looks at: the pieces that the Image page and a reader's own ViT share."""
