import { make, spans } from "../../shared/dom.js";
import { isPartner } from "../engine/rules.js";
import { setIn } from "./symbols.js";

/**
 * ``X (token 3, d_model 8) · W_Q (d_model 8, d_k 4) → Q (token 3, d_k 4)``: what goes in and what
 * comes out, the axis over which the product sums crossed out. Hovering a name highlights its symbol.
 * In presentation mode, where the map of a model is hidden, its part is named too.
 * @param {Store} store
 */
export function shapeSignature(store) {
  const { trace, stage } = store;
  /** @param {string | null} means */
  const light = (means) => store.light(means);
  const { layout, planes } = trace.drawing(stage) ?? { planes: [] };
  if (!planes.length) return [];
  const operands = planes.slice(0, -1),
    shared = layout === "product" ? operands[0].columns.role : "";
  const parts = isOfHeads(operands)
    ? shape(light, trace, { ...operands[0], head: null }, "", ` × ${operands.length}`)
    : operands.flatMap((plane, i) => [
        ...(i ? [layout === "product" ? " · " : ", "] : []),
        ...(isPartner(trace, plane, planes) ? [trace.words.partner] : shape(light, trace, plane, shared)),
      ]);
  if (operands.length) parts.push(" → ");
  parts.push(...shape(light, trace, planes.at(-1), ""));
  for (const [role, name, position, size] of /** @type {const} */ ([
    ["head", trace.words.head, store.head, trace.heads],
    ["kv_head", trace.words.kv_head, store.positionOf(stage, "kv_head"), trace.size(stage, "kv_head")],
  ])) {
    if (!trace.stage(stage).roles.includes(role)) continue;
    parts.push("  ·  ", part(light, unbroken(name.replace("{number}", `${position + 1} / ${size}`)), role, role));
  }
  if (store.part) parts.push(make("span", "part", `  ·  ${store.part}`));
  return parts;
}

/** @param {string} text */
const unbroken = (text) => text.replaceAll(" ", "\u00a0");

/**
 * Whether the operands are the same stage, once for each head.
 * @param {Plane[]} operands
 */
function isOfHeads(operands) {
  return operands.length > 1 && operands.every(({ stage, head }) => stage === operands[0].stage && head !== null);
}

/**
 * @param {(means: string | null) => void} light @param {Trace} trace @param {Plane} plane @param {string} shared
 * @param {string} [times]
 */
function shape(light, trace, plane, shared, times = "") {
  const name = make("span", "name", [
    ...spans(trace.stage(plane.stage).name.map(([tag, text]) => [text, tag === "span" ? "symbol" : tag])),
    ...(plane.transposed ? [make("sup", "", "⊤")] : []),
  ]);
  lights(light, name, plane.stage);
  const sides = [plane.rows, plane.columns].filter((side) => side.role);
  const head =
    plane.head === null ? [] : [part(light, unbroken(trace.sized("head", plane.head + 1)), "head", "head"), ", "];
  return [
    name,
    times,
    " (",
    ...head,
    ...sides.flatMap((side, i) => [
      ...(i ? [", "] : []),
      part(
        light,
        trace.sized(side.role, side.size),
        side.role === shared ? `${side.role} contracted` : side.role,
        side.role,
      ),
    ]),
    ")",
  ];
}

/**
 * @param {(means: string | null) => void} light @param {string} text @param {string} className @param {string} means
 */
function part(light, text, className, means) {
  const element = setIn(make("span", className), text);
  lights(light, element, means);
  return element;
}

/** @param {(means: string | null) => void} light @param {HTMLElement} element @param {string} means */
function lights(light, element, means) {
  element.dataset.means = means;
  element.onpointerenter = () => light(means);
  element.onpointerleave = () => light(null);
}
