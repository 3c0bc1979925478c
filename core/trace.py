"""A stage of the computation (tensor, named axes, rule) and the trace of all stages."""

from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from core import finite, kinds
from core.axis import Axis, Labels, is_per_sample
from core.errors import InputError, shape_mismatch
from core.rules import Operand, Rule, operands, stages_read

Made = TypeVar("Made")
SHOWN = 6  # parts that a trace names when it is printed


class _Deriving:
    """What is derived from a stage's numbers and axes, or from a trace, is cached with these."""

    _derived: dict[Hashable, Any]

    def derived(self, name: Hashable, make: Callable[[], Made]) -> Made:
        """A value derived from this alone, computed by ``make`` and cached as long as this is used.

        name: the cache key: what the value is, and everything that it depends on beside.
        """
        if name not in self._derived:
            self._derived[name] = make()
        value: Made = self._derived[name]
        return value


@dataclass(frozen=True, eq=False)
class Stage(_Deriving):
    """One step: a read-only tensor, its named axes, its formula in LaTeX and its rule.

    kind: what the key means here (``core.kinds``); by default the key itself.
    tensor: an array, or one that computes its numbers when they are read (``core.blockwise``).
    roles: of the axes, in order. operands: all of the rule, in order. computed_from: the keys of
    the stages that these are of; empty for a given stage.

    Raises shape_mismatch if the number of axes is not that of the tensor or two axes have one role,
    labels_do_not_fit if an axis does not have one label and kind for each index (in each sample),
    not_real if the tensor is neither real nor boolean.
    """

    key: str
    formula: str
    tensor: np.ndarray
    axes: tuple[Axis, ...]
    rule: Rule
    kind: str = ""
    roles: tuple[str, ...] = field(init=False, repr=False)
    operands: tuple[Operand, ...] = field(init=False, repr=False)
    computed_from: tuple[str, ...] = field(init=False, repr=False)
    _derived: dict[Hashable, Any] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Check the axes against the tensor and lock the tensor."""
        made, tensor = vars(self), self.tensor
        made["kind"] = kinds.of_step(self.key, self.kind)
        made["roles"] = roles = tuple([axis.role for axis in self.axes])
        if len(roles) != tensor.ndim:
            raise shape_mismatch(self.key, f"({', '.join(roles)})", tensor.shape)
        if len(set(roles)) < len(roles):
            different = f"of different roles, not ({', '.join(roles)})"
            raise shape_mismatch(self.key, different, tensor.shape)
        if tensor.dtype != bool:
            finite.check_real(self.key, tensor.dtype)
        for axis, size in zip(self.axes, tensor.shape, strict=True):
            for labels in (axis.labels, axis.kinds):
                if isinstance(labels, tuple):
                    self._check_labels(axis, labels, size)
        if isinstance(tensor, np.ndarray):
            made["tensor"] = _locked(tensor)
        self._read_rule()

    def _check_labels(self, axis: Axis, labels: Labels, size: int) -> None:
        if is_per_sample(labels) and len(labels) != self.size("batch"):
            raise InputError(
                "labels_do_not_fit",
                name=f"{self.key}.{axis.role}",
                labels=len(labels),
                size=self.size("batch"),
            )
        for names in labels if is_per_sample(labels) else (labels,):
            if len(names) != size:
                raise InputError(
                    "labels_do_not_fit",
                    name=f"{self.key}.{axis.role}",
                    labels=len(names),
                    size=size,
                )

    def moved(self, key: str, rule: Rule) -> "Stage":
        """The same numbers under another key and rule: nothing that was checked changes."""
        other = object.__new__(Stage)
        vars(other).update(vars(self), key=key, rule=rule, kind=kinds.of_step(key, self.kind))
        other._read_rule()
        return other

    def alike(self, key: str, formula: str, tensor: np.ndarray, rule: Rule) -> "Stage":
        """Other real numbers with its axes, which have been checked. tensor: of its shape."""
        assert tensor.shape == self.tensor.shape
        other = object.__new__(Stage)
        kind = kinds.of_step(key, "")
        vars(other).update(vars(self), key=key, formula=formula, rule=rule, kind=kind)
        vars(other).update(tensor=_locked(tensor), _derived={})
        other._read_rule()
        return other

    def _read_rule(self) -> None:
        vars(self)["operands"] = read = tuple(operands(self.rule))
        vars(self)["computed_from"] = stages_read(read)

    @property
    def operand(self) -> Operand:
        """Its cell with the indices of the result, as an operand of a rule."""
        return Operand(self.key, self.roles)

    def size(self, role: str) -> int:
        """The size of the axis of this role; 1 if there is no such axis."""
        return int(self.tensor.shape[self.roles.index(role)]) if role in self.roles else 1

    def axis(self, role: str) -> Axis:
        """The axis of this role. Raises ValueError if there is none."""
        return self.axes[self.roles.index(role)]


def _locked(tensor: np.ndarray) -> np.ndarray:
    view = tensor.view()
    view.setflags(write=False)
    return view


class UnknownStage(KeyError):
    """A key that is not in the trace; the message lists the keys that are."""

    def __str__(self) -> str:
        """The message, without the quotes that KeyError adds."""
        return str(self.args[0])


class Trace(_Deriving, Mapping[str, Stage]):
    """Stages by key, in the order of the computation: each reads only earlier ones.

    Raises ValueError for a repeated key or a rule that reads a stage that is not before it, and
    shape_mismatch for an operand with another number of indices than its stage has axes.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        """Check the stages in order and keep them."""
        self._stages: dict[str, Stage] = {}
        self._derived = {}
        self._append(stages)

    def followed_by(self, stages: Iterable[Stage]) -> "Trace":
        """The trace with more stages at its end. Raises what the constructor raises."""
        longer = Trace(())
        longer._stages.update(self._stages)
        longer._append(stages)
        return longer

    def _append(self, stages: Iterable[Stage]) -> None:
        for stage in stages:
            self._check(stage)
            self._stages[stage.key] = stage

    def _check(self, stage: Stage) -> None:
        if stage.key in self._stages:
            raise ValueError(f"stage {stage.key!r} is not the only one with this key")
        for key in stage.computed_from:
            if key not in self._stages:
                raise ValueError(f"stage {stage.key!r} reads {key!r}, which does not precede it")
        for operand in stage.operands:
            axes = self._stages[operand.stage].axes
            if len(operand.index) != len(axes):
                expected = f"read by {len(axes)} indices"
                raise shape_mismatch(operand.stage, expected, (len(operand.index),))

    def __getitem__(self, key: str) -> Stage:
        """The stage of this key. Raises UnknownStage, which lists the known keys."""
        if key not in self._stages:
            raise UnknownStage(f"no stage {key!r}; this trace has {', '.join(self._stages)}")
        return self._stages[key]

    def __contains__(self, key: object) -> bool:
        """Whether there is a stage of this key."""
        return key in self._stages

    def __iter__(self) -> Iterator[str]:
        """The keys in the order of the computation."""
        return iter(self._stages)

    def __len__(self) -> int:
        """The number of stages."""
        return len(self._stages)

    def values(self) -> ValuesView[Stage]:
        """The stages in the order of the computation."""
        return self._stages.values()

    def items(self) -> ItemsView[str, Stage]:
        """The stages with their keys, in the order of the computation."""
        return self._stages.items()

    def __repr__(self) -> str:
        """The parts, or the computed stages with their shapes, in one line."""
        paths = tuple(dict.fromkeys(key.rpartition("/")[0] for key in self))
        if len(paths) > 1:
            some = paths if len(paths) <= SHOWN else (*paths[: SHOWN - 1], "…", paths[-1])
            return f"<{type(self).__name__} of {len(paths)} parts: {', '.join(some)}>"
        made = [stage for stage in self.values() if stage.computed_from] or [*self.values()]
        shown = ", ".join(f"{stage.key} {stage.tensor.shape}" for stage in made)
        noun = "stage" if len(self) == 1 else "stages"
        return f"<{type(self).__name__} of {len(self)} {noun}: {shown}>"

    @cached_property
    def token(self) -> str:
        """The kind of its tokens, of ``core.kinds.TOKENS``; ``word`` by default."""
        named = (kind for stage in self.values() for axis in stage.axes for kind in axis.all_kinds)
        return next((kind for kind in named if kind in kinds.TOKENS), "word")

    @property
    def tensors(self) -> dict[str, np.ndarray]:
        """Each stage's tensor by key."""
        return {key: stage.tensor for key, stage in self._stages.items()}


def of_kinds(kinds: Mapping[str, str], stages: Iterable[Stage]) -> Trace:
    """The stages with these kinds by their keys; the others as they are."""
    return Trace(replace(stage, kind=kinds.get(stage.key, stage.kind)) for stage in stages)
