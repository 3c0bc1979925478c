"""The scenes of the sample pictures, each with a function ``paint``, and the brush they share."""
