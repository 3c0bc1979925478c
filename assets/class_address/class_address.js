import { make, sectionOf } from "../shared/dom.js";
import { qrCode } from "../shared/qr.js";

/**
 * The address as a link, and its QR code, which a press lets fill the screen.
 * @param {ComponentArgs<{ address: string, modules: string[], words: Record<"qr" | "larger" | "close", string> }>} args
 */
export default function ({ data, parentElement }) {
  const { address, modules, words } = data;
  const linkTo = () => make("a", "", address, { href: address }),
    close = make("button", "close", "×", { title: words.close, ariaLabel: words.close }),
    dialog = make("dialog", "", [close, qrCode(modules, words.qr), linkTo()]);
  close.onclick = () => dialog.close();
  const drawing = [qrCode(modules, words.qr), make("span", "", words.larger)],
    open = make("button", "open", drawing, { onclick: () => dialog.showModal() });
  sectionOf(parentElement).replaceChildren(open, linkTo(), dialog);
}
