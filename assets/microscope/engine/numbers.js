// Numbers as text: a real minus, a fixed number of digits, and terms that add up as printed.
// Statements about printed numbers are computed exactly, in whole units of the last digit.
// A number is rounded as at school: a half away from zero; what is rounded is the shortest decimal
// that means this very number, as String() writes it. views/text/numbers.py states the rule.

export const MINUS = "−";
// views/text/numbers.py reads these two here.
export const DECIMALS = 2; // of a number in a cell, a table or a sentence
export const MOST_DIGITS = 6;
export const BRIEF = 8; // terms or rows of a brief cell, with the sum of the others
const FIXED = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) =>
    format({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ),
  SCIENTIFIC = format({
    notation: "scientific",
    minimumSignificantDigits: DECIMALS,
    maximumSignificantDigits: DECIMALS,
  });
const BRIEF_DIGITS = DECIMALS + 1; // more than which a brief cell does not print: it says ≈

/** @typedef {Intl.StringNumericLiteral} Decimal */

/**
 * The value with so many digits behind the point, "−0.00" without its sign.
 * @param {number} value @param {number} [digits]
 */
export function plain(value, digits = DECIMALS) {
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : "∞";
  const text = FIXED[digits].format(decimal(Math.abs(value)));
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/**
 * The value for a sentence: DECIMALS behind the point, more where it is small.
 * @param {number} value
 */
export function short(value) {
  const size = Math.abs(value);
  if (size === 0 || size === Infinity || size >= 0.1) return plain(value);
  if (size >= 0.0001) return plain(value, DECIMALS - 1 - Math.floor(Math.log10(size)));
  const [mantissa, power] = SCIENTIFIC.format(decimal(size)).split("E-");
  return `${value < 0 ? MINUS : ""}${mantissa}·10⁻${power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`;
}

/**
 * A share in per cent, as views/text/numbers.py writes it.
 * @param {number} share
 */
export function perCent(share) {
  const value = 100 * share,
    text = plain(value, 1);
  return `${Number(text) < 10 ? text : plain(value, 0)}\u00a0%`;
}

/**
 * A number of bytes, as views/text/numbers.py writes it.
 * @param {number} value
 */
export function bytes(value) {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(value || 1) / 3))),
    amount = value / 1000 ** power;
  return `${plain(amount, power ? 1 : 0)} ${["B", "kB", "MB", "GB", "TB"][power]}`;
}

/**
 * The fewest digits from `least` on that fit; null where even the most do not.
 * @param {number} least @param {(digits: number) => boolean} fit @param {number} [most]
 */
function fewestDigits(least, fit, most = MOST_DIGITS) {
  for (let digits = least; digits <= most; digits++) if (fit(digits)) return digits;
  return null;
}

/**
 * The fewest digits with which the printed terms add up to the printed total; null: say ≈.
 * @param {number[]} terms @param {number} total
 */
export function digitsThatAddUp(terms, total) {
  return digitsOf(terms, total, false)[0];
}

/**
 * The digits with which what is printed fits, null if there are none, and those to print all the same.
 * brief: as few as in a figure, unless one more will do.
 * @param {boolean} brief @param {(digits: number) => boolean} fit
 * @returns {[found: number | null, digits: number]}
 */
export function digitsFor(brief, fit) {
  const found = fewestDigits(DECIMALS, fit, brief ? BRIEF_DIGITS : MOST_DIGITS);
  return [found, found ?? (brief ? DECIMALS : MOST_DIGITS)];
}

/**
 * Those with which the terms of an opened cell add up.
 * @param {number[]} terms @param {number} total @param {boolean} brief
 */
export function digitsOf(terms, total, brief) {
  const fits = !Number.isFinite(total) || !terms.every(Number.isFinite);
  return digitsFor(brief, (digits) => fits || addUp(terms, total, digits));
}

/**
 * Whether the terms add up to the total as they are printed with so many digits.
 * @param {number[]} terms @param {number} total @param {number} digits
 */
export function addUp(terms, total, digits) {
  return printedSum(terms, digits) === units(total, digits);
}

/**
 * Whether the printed factors multiply to the printed product, once that is rounded as well.
 * constants: factors that are printed with as many digits as they need.
 * @param {number[]} factors @param {number} product @param {number} digits @param {number[]} [constants]
 */
export function isExact(factors, product, digits, constants = []) {
  let whole = 1n,
    decimals = 0;
  for (const [all, enough] of /** @type {[number[], (value: number) => number][]} */ ([
    [factors, () => digits],
    [constants, (value) => digitsOfConstant(value, digits)],
  ]))
    for (const value of all) {
      whole *= units(value, enough(value));
      decimals += enough(value);
    }
  return unitsOf(/** @type {Decimal} */ (`${whole}e-${decimals}`), digits) === units(product, digits);
}

/**
 * The digits of a constant such as 1/√d_k: no more than of other numbers where it is even.
 * @param {number} value @param {number} digits
 */
export function digitsOfConstant(value, digits) {
  const isEven = units(value, digits) * 10n ** BigInt(MOST_DIGITS - digits) === units(value, MOST_DIGITS);
  return isEven ? digits : MOST_DIGITS;
}

/** @param {number[]} terms @param {number} digits */
function printedSum(terms, digits) {
  let sum = 0n;
  let small = 0;
  for (const term of terms) {
    const whole = smallUnits(term, digits);
    if (whole === null) sum += units(term, digits);
    else small += whole;
  }
  return sum + BigInt(small);
}

/**
 * What units() gives, as a number where there is no doubt about it: below 2^39 the product of the
 * shortest decimal lies within 2^-12 of that of the double, and 2^14 such wholes add up exactly.
 * @param {number} value @param {number} digits
 */
function smallUnits(value, digits) {
  const size = Math.abs(value) * 10 ** digits;
  const whole = Math.floor(size);
  const left = size - whole;
  if (!(size < 2 ** 39) || Math.abs(left - 0.5) < 2 ** -12) return null;
  const nearest = left < 0.5 ? whole : whole + 1;
  return value < 0 ? -nearest : nearest;
}

/**
 * The printed value in units of its last digit.
 * @param {number} value @param {number} digits
 */
export function units(value, digits) {
  const small = smallUnits(value, digits);
  if (small !== null) return BigInt(small);
  return unitsOf(decimal(value), digits);
}

/** @param {Decimal} written @param {number} digits */
const unitsOf = (written, digits) => BigInt(FIXED[digits].format(written).replace(".", ""));

/**
 * The shortest decimal that means this number: as text, so that it is rounded and not what the binary number holds.
 * @param {number} value
 */
const decimal = (value) => /** @type {Decimal} */ (String(value));

/**
 * Rounds a half away from zero.
 * @param {Intl.NumberFormatOptions} options
 */
function format(options) {
  return new Intl.NumberFormat("en", { useGrouping: false, ...options });
}
