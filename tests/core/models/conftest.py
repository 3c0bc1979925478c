import pytest

from core.models import checkpoint
from core.models.installed import shipped
from core.models.opened_model import Checkpoint


@pytest.fixture(scope="session")
def decoder() -> Checkpoint:
    """The shipped decoder."""
    return checkpoint.open(shipped()["decoder"], "decoder", "trained")
