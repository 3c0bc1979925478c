const ROOT = Math.sqrt(2 / Math.PI),
  CUBE = 0.044715,
  QUICK = 1.702;

// Functions of one number, as core/activations.py has them, by the names that rules give them.
/** @type {Record<FunctionName, (x: number) => number>} */
export const FUNCTIONS = {
  relu: (x) => Math.max(0, x),
  gelu: (x) => x * ((1 + erf(x / Math.SQRT2)) / 2),
  gelu_tanh: (x) => x * ((1 + Math.tanh(ROOT * (x + CUBE * x ** 3))) / 2),
  quick_gelu: (x) => silu(QUICK * x) / QUICK,
  silu,
  log: Math.log,
  cos: Math.cos,
  sin: Math.sin,
  tanh: Math.tanh,
  inverse_root: (x) => 1 / Math.sqrt(x),
  relu_slope: (x) => (x > 0 ? 1 : 0),
  gelu_slope: (x) => (1 + erf(x / Math.SQRT2)) / 2 + (x * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI),
  gelu_tanh_slope: (x) => {
    const t = Math.tanh(ROOT * (x + CUBE * x * x * x));
    return (1 + t) / 2 + (x * (1 - t * t) * (ROOT * (1 + 3 * CUBE * x * x))) / 2;
  },
  quick_gelu_slope: (x) => siluSlope(QUICK * x),
  silu_slope: siluSlope,
  log_slope: (x) => 1 / x,
  tanh_slope: (x) => 1 - Math.tanh(x) ** 2,
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
  inverse_root: "1/√",
  relu_slope: "ReLU′",
  gelu_slope: "GELU′",
  gelu_tanh_slope: "GELU_tanh′",
  quick_gelu_slope: "quick_GELU′",
  silu_slope: "SiLU′",
  log_slope: "ln′",
  tanh_slope: "tanh′",
};

/** @param {number} x */
function silu(x) {
  return x >= 0 ? x / (1 + Math.exp(-x)) : (x * Math.exp(x)) / (1 + Math.exp(x));
}

/** @param {number} x */
function siluSlope(x) {
  const sigmoid = 1 / (1 + Math.exp(-x));
  return sigmoid * (1 + x * (1 - sigmoid));
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
