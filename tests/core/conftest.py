from hypothesis import settings

settings.register_profile("stable", deadline=None, derandomize=True, database=None, max_examples=25)
settings.load_profile("stable")
