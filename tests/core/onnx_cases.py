"""The conformance cases of ONNX operators, as the onnx package ships them."""

import warnings
from typing import Any

with warnings.catch_warnings():
    # The cases of an operator are made on import, some with intended overflows; onnx's own
    # loader imports those of all operators.
    warnings.simplefilter("ignore")
    import onnx
    from onnx.backend.test.case import node
    from onnx.backend.test.case.node import (
        attention,
        layernormalization,
        rmsnormalization,
        rotaryembedding,
    )

OPERATORS = (attention, layernormalization, rmsnormalization, rotaryembedding)  # their cases exist


def cases(operator: str) -> dict[str, Any]:
    """The cases of an operator, such as ``attention``, by their names without it.

    A case named …_expanded is the one without that ending, its operator written out in others.
    """
    return {
        case.name.removeprefix(f"test_{operator}").removeprefix("_") or "plain": case
        for case in node._NodeTestCases
        if case.name.startswith(f"test_{operator}") and "_expanded" not in case.name
    }


def parts(case: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The operator's attributes, and its inputs and outputs by name."""
    (operator,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in operator.attribute}
    return (
        attributes,
        dict(zip([name for name in operator.input if name], inputs, strict=True)),
        dict(zip([name for name in operator.output if name], outputs, strict=True)),
    )
