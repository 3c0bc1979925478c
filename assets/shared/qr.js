import { shape } from "./svg.js";

const QUIET = 4; // modules around the code, as ISO/IEC 18004 asks

/**
 * A QR code, by its rows, `1` for dark.
 * @param {string[]} modules @param {string} name
 */
export function qrCode(modules, name) {
  const side = modules.length + 2 * QUIET;
  const dark = modules.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`,
    ),
  );
  return shape("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": name }, [
    shape("rect", { width: side, height: side, fill: "#fff" }),
    shape("path", { d: dark.join(""), fill: "#000" }),
  ]);
}
