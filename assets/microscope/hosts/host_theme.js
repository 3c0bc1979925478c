import { make, penOf, rootOf } from "../../shared/dom.js";
import { css, digitsOn } from "../theme.js";

/**
 * Gives an element the colour scheme of the surrounding page, and follows its changes.
 * Returns a function that stops it.
 * @param {HTMLElement} host
 */
export function followHostTheme(host) {
  let worn = "";
  const wear = () => {
    const around = host.parentElement;
    if (!around || !host.isConnected) return;
    const text = channelsOf(getComputedStyle(around).color).slice(0, 3),
      ground = groundOf(around);
    const both = [text, ground].join();
    if (both === worn) return;
    worn = both;
    host.style.colorScheme = digitsOn(text) === "#000000" ? "dark" : "light";
    host.style.setProperty("--st-text-color", css(text));
    host.style.setProperty("--st-background-color", ground);
  };
  // A notebook makes it first and puts it on the page later: there it gets a size.
  const placed = new ResizeObserver(wear),
    themed = new MutationObserver(wear);
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  placed.observe(host);
  for (const element of [document.documentElement, document.body]) themed.observe(element, { attributes: true });
  preferred.addEventListener("change", wear);
  return () => {
    placed.disconnect();
    themed.disconnect();
    preferred.removeEventListener("change", wear);
  };
}

/**
 * The visible background colour of an element.
 * @param {Element} element
 */
function groundOf(element) {
  /** @type {Element | null} */
  let around = element;
  for (; around; around = parentOf(around)) {
    const ground = channelsOf(getComputedStyle(around).backgroundColor);
    if (ground[3] === 255) return css(ground.slice(0, 3));
  }
  return "Canvas";
}

/** @param {Element} element */
function parentOf(element) {
  const root = rootOf(element);
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/**
 * A CSS colour as red, green, blue and alpha.
 * @param {string} colour
 */
function channelsOf(colour) {
  const canvas = make("canvas"),
    pen = penOf(canvas);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
}
