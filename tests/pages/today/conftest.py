import pytest

from core.models import checkpoint
from core.models.checkpoint import Checkpoint
from views.models_folder import shipped


@pytest.fixture(scope="session")
def decoder() -> Checkpoint:
    """The shipped decoder, which the pages of this chapter read a sentence with."""
    return checkpoint.open(shipped()["decoder"], "decoder", "trained")
