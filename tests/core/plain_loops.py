"""The formulas of attention written out for one cell at a time, in Python's own numbers.

Each reads the arguments and the stored stages before it, so that no rounding errors add up.
Nothing here is taken from the code under test.
"""

import math

from attention_inputs import D_K, D_V, DROPOUT, SCALE, TEMPERATURE, EveryOption

from core import Trace


class PlainLoops:
    """One method per stage: the value of its cell at the given index."""

    def __init__(self, given: EveryOption, trace: Trace) -> None:
        self.given = given
        self.at = {key: stage.tensor.tolist() for key, stage in trace.items()}
        self.packed = {
            name: getattr(given.weights, name).tolist()
            for name in ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")
        }

    def embedding(self, batch, token, m):
        return float(self.given.embedding[batch, token, m])

    def position(self, token, m):
        return float(self.given.position[token, m])

    def X(self, batch, token, m):
        return self.embedding(batch, token, m) + self.position(token, m)

    def memory(self, batch, key, m):
        return float(self.given.memory[batch, key, m])

    def W_Q(self, head, m, k):
        return self.packed["W_Q"][m][head * D_K + k]

    def W_K(self, head, m, k):
        return self.packed["W_K"][m][head * D_K + k]

    def W_V(self, head, m, v):
        return self.packed["W_V"][m][head * D_V + v]

    def W_O(self, head, v, m):
        return self.packed["W_O"][head * D_V + v][m]

    def b_Q(self, head, k):
        return self.packed["b_Q"][head * D_K + k]

    def b_K(self, head, k):
        return self.packed["b_K"][head * D_K + k]

    def b_V(self, head, v):
        return self.packed["b_V"][head * D_V + v]

    def b_O(self, m):
        return self.packed["b_O"][m]

    def Q(self, batch, head, query, k):
        x = self.at["X"][batch][query]
        return self.b_Q(head, k) + sum(x[m] * self.W_Q(head, m, k) for m in range(len(x)))

    def K(self, batch, head, key, k):
        x = self.at["memory"][batch][key]
        return self.b_K(head, k) + sum(x[m] * self.W_K(head, m, k) for m in range(len(x)))

    def V(self, batch, head, key, v):
        x = self.at["memory"][batch][key]
        return self.b_V(head, v) + sum(x[m] * self.W_V(head, m, v) for m in range(len(x)))

    def key_mask(self, batch, key):
        return float(self.given.key_mask[batch, key])

    def causal(self, query, key):
        return 1.0 if key <= query else 0.0

    def allowed(self, batch, query, key):
        return float(self.given.allowed[batch, 0, query, key])

    def bias(self, head, key):
        return float(self.given.bias[head, 0, key])

    def scores(self, batch, head, query, key):
        q, k = self.at["Q"][batch][head][query], self.at["K"][batch][head][key]
        return sum(q[i] * k[i] for i in range(D_K))

    def scaled(self, batch, head, query, key):
        return self.at["scores"][batch][head][query][key] * SCALE / TEMPERATURE

    def masked(self, batch, head, query, key):
        hidden = key > query
        hidden = hidden or not self.given.key_mask[batch, key]
        hidden = hidden or not self.given.allowed[batch, 0, query, key]
        if hidden:
            return -math.inf
        return self.at["scaled"][batch][head][query][key] + self.bias(head, key)

    def weights(self, batch, head, query, key):
        row = self.at["masked"][batch][head][query]
        if all(score == -math.inf for score in row):
            return 0.0
        return math.exp(row[key] - max(row)) / sum(math.exp(score - max(row)) for score in row)

    def keep(self, batch, head, query, key):
        return float(self.at["keep"][batch][head][query][key])

    def dropped(self, batch, head, query, key):
        if not self.at["keep"][batch][head][query][key]:
            return 0.0
        return self.at["weights"][batch][head][query][key] / (1 - DROPOUT)

    def head_output(self, batch, head, query, v):
        row = self.at["dropped"][batch][head][query]
        return sum(row[key] * self.at["V"][batch][head][key][v] for key in range(len(row)))

    def concat(self, batch, query, column):
        return self.at["head_output"][batch][column // D_V][query][column % D_V]

    def output(self, batch, query, m):
        row = self.at["concat"][batch][query]
        return self.b_O(m) + sum(x * self.packed["W_O"][i][m] for i, x in enumerate(row))

    def residual(self, batch, query, m):
        return self.at["X"][batch][query][m] + self.at["output"][batch][query][m]

    def normalised(self, batch, query, m):
        row = self.at["residual"][batch][query]
        mean = sum(row) / len(row)
        variance = sum((x - mean) ** 2 for x in row) / len(row)
        return (row[m] - mean) / math.sqrt(variance + 1e-5)
