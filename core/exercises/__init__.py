"""Numbers that somebody wrote, held to the computed ones: covered, judged, proofread, edited."""
