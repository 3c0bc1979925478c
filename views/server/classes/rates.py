"""How often somebody may ask: a bucket of permits for each, which fills with time."""

import time
from collections import OrderedDict
from collections.abc import Callable

KNOWN = 10_000  # of whom is remembered how often they asked


class Rate:
    """``most`` requests at once, and ``each_second`` more a second, for each name."""

    def __init__(
        self, most: int, each_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.each_second, self.clock = most, each_second, clock
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # permits, and when

    def left_for(self, name: str) -> float:
        """The permits that a name has now."""
        left, then = self.left.get(name, (float(self.most), self.clock()))
        return min(float(self.most), left + (self.clock() - then) * self.each_second)

    def take(self, name: str) -> bool:
        """Take one permit, if there is one."""
        left = self.left_for(name)
        self.left[name] = (max(left - 1, 0.0), self.clock())
        self.left.move_to_end(name)
        if len(self.left) > KNOWN:
            self.left.popitem(last=False)
        return left >= 1
