import { make, sectionOf } from "../shared/dom.js";
import { shape } from "../shared/svg.js";

const QUIET = 4; // modules around the code, as ISO/IEC 18004 asks

/**
 * The address as a link, and its QR code, which a press lets fill the screen.
 * @param {ComponentArgs<{ address: string, modules: string[], words: Record<"qr" | "larger" | "close", string> }>} args
 */
export default function ({ data, parentElement }) {
  const { address, modules, words } = data;
  const linkTo = () => make("a", "", address, { href: address }),
    close = make("button", "close", "×", { title: words.close, ariaLabel: words.close }),
    dialog = make("dialog", "", [close, code(modules, words.qr), linkTo()]);
  close.onclick = () => dialog.close();
  const drawing = [code(modules, words.qr), make("span", "", words.larger)],
    open = make("button", "open", drawing, { onclick: () => dialog.showModal() });
  sectionOf(parentElement).replaceChildren(open, linkTo(), dialog);
}

/** @param {string[]} modules @param {string} name */
function code(modules, name) {
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
