// Functions of one number, as core/activations.py has them, by the names that rules give them.
/** @type {Record<FunctionName, (x: number) => number>} */
export const FUNCTIONS = {
  relu: (x) => Math.max(0, x),
  gelu: (x) => x * ((1 + erf(x / Math.SQRT2)) / 2),
  gelu_tanh: (x) => x * ((1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))) / 2),
  quick_gelu: (x) => silu(1.702 * x) / 1.702,
  silu,
  log: Math.log,
  cos: Math.cos,
  sin: Math.sin,
  tanh: Math.tanh,
};

/** @type {Record<string, string>} */
export const WRITTEN = {
  relu: "ReLU",
  gelu: "GELU",
  gelu_tanh: "GELU_tanh",
  quick_gelu: "quick_GELU",
  silu: "SiLU",
  log: "ln",
  cos: "cos",
  sin: "sin",
  tanh: "tanh",
};

/** @param {number} x */
function silu(x) {
  return x >= 0 ? x / (1 + Math.exp(-x)) : (x * Math.exp(x)) / (1 + Math.exp(x));
}

const BEYOND = 6; // where 1 − erf is below what a number can hold

/**
 * 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1 · 3 · … · (2n+1)): all terms of one sign (DLMF 7.6.2).
 * @param {number} x
 */
function erf(x) {
  if (Math.abs(x) > BEYOND) return Math.sign(x);
  let term = x,
    sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) sum += term *= (2 * x * x) / (2 * n + 1);
  return ((2 * sum) / Math.sqrt(Math.PI)) * Math.exp(-x * x);
}
