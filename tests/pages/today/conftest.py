import pytest

from core.models import checkpoint
from core.models.checkpoint import Checkpoint
from core.models.installed import shipped


@pytest.fixture(scope="session")
def decoder() -> Checkpoint:
    """The shipped decoder, which the pages of this chapter read a sentence with."""
    return checkpoint.open(shipped()["decoder"], "decoder", "trained")
