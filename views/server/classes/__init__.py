"""A class: a teacher's microscope that others follow, questions to it, and their answers."""
