import { all, around, focusedBeside, isModified, make, viewOf, within } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";

/**
 * received: the number of moves that the server knows of.
 * @typedef {{
 *   names: string[], order: number[], photo: string | null, columns: number,
 *   words: Record<"given" | "order" | "piece", string>, received: number,
 * }} Pieces
 * @typedef {{
 *   root: HTMLElement, message: HTMLElement, list: HTMLElement, data: Pieces, order: number[], pieces: string, sent: number,
 *   dragged: boolean, timer: number, say: ComponentArgs<Pieces>["setTriggerValue"],
 * }} View
 */

const STILL = 4,
  PAUSE = 250;

/**
 * A sequence whose pieces are dragged, or moved with the arrow keys, into another order.
 * @param {ComponentArgs<Pieces>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, () => begun(parentElement, data, setTriggerValue)),
    other = JSON.stringify([data.names, data.photo]);
  view.say = setTriggerValue;
  if (view.pieces !== other || data.received >= view.sent) {
    if (view.pieces !== other) clearTimeout(view.timer);
    Object.assign(view, { pieces: other, sent: data.received, order: data.order });
  }
  view.data = data;
  if (!view.dragged) draw(view);
}

/** @param {Ground} parent @param {Pieces} data @param {View["say"]} say @returns {View} */
function begun(parent, data, say) {
  const root = parent.appendChild(make("section")),
    message = parent.appendChild(make("p", "message", "", { ariaLive: "polite" }));
  return {
    root,
    message,
    list: make("ol"),
    data,
    order: data.order,
    pieces: "",
    sent: 0,
    dragged: false,
    timer: 0,
    say,
  };
}

/** @param {View} view */
function draw(view) {
  const { root, data, order } = view,
    focus = focusedBeside(root)?.dataset.piece;
  const given = rowOf(
    data,
    data.words.given,
    data.names.map((_, piece) => pieceOf(data, piece, "span")),
  );
  const moved = rowOf(
    data,
    data.words.order,
    order.map((piece, index) => {
      const button = pieceOf(data, piece, "button");
      button.setAttribute("aria-description", described(view, piece, index));
      return button;
    }),
  );
  given.classList.add("given");
  root.replaceChildren(given, moved);
  view.list = within(moved, "ol");
  view.list.onpointerdown = (event) => take(view, event);
  view.list.onkeydown = (event) => press(view, event);
  [...all(view.list, "[data-piece]")].find((one) => one.dataset.piece === focus)?.focus();
}

/** @param {Pieces} data @param {string} title @param {HTMLElement[]} pieces */
function rowOf(data, title, pieces) {
  const items = pieces.map((piece) => make("li", "", [piece])),
    list = make("ol", "", items);
  if (data.columns) list.style.gridTemplateColumns = `repeat(${data.columns}, auto)`;
  list.classList.toggle("patches", Boolean(data.columns));
  return make("figure", "", [make("figcaption", "", title), list]);
}

/**
 * @template {"span" | "button"} Tag
 * @param {Pieces} data @param {number} piece @param {Tag} tag
 */
function pieceOf(data, piece, tag) {
  const element = make(tag, data.photo ? "piece photo" : "piece token");
  element.dataset.piece = String(piece);
  element.title = data.names[piece];
  if (data.photo) {
    const step = 100 / (data.columns - 1),
      row = Math.floor(piece / data.columns);
    element.style.backgroundImage = `url("${data.photo}")`;
    element.style.backgroundSize = `${100 * data.columns}%`;
    element.style.backgroundPosition = `${(piece % data.columns) * step}% ${row * step}%`;
  } else element.append(make("span", "name", data.names[piece]));
  element.append(make("small", "", String(piece + 1)));
  return element;
}

/** @param {View} view @param {KeyboardEvent} event */
function press(view, event) {
  const button = around(event, "[data-piece]"),
    from = button ? indexOf(view, button) : -1;
  const line = view.data.columns || 1,
    last = view.order.length - 1;
  /** @type {Record<string, number>} */
  const ways = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - line,
    ArrowDown: from + line,
    Home: 0,
    End: last,
  };
  const to = ways[event.key];
  if (from < 0 || to === undefined || isModified(event)) return;
  event.preventDefault();
  if (view.dragged || to < 0 || to > last) return;
  commit(view, moved(view.order, from, to), view.order[from]);
}

/** @param {View} view @param {PointerEvent} event */
function take(view, event) {
  const button = around(event, "[data-piece]"),
    item = button?.closest("li");
  if (!button || !item || event.button || view.dragged) return;
  const { list, order: first } = view,
    items = [...all(list, "li")];
  const start = { x: event.clientX, y: event.clientY, left: item.offsetLeft, top: item.offsetTop };
  const piece = Number(button.dataset.piece);
  let order = first,
    dragging = false;
  /** @param {number} one */
  const itemOf = (one) => items[first.indexOf(one)];
  view.dragged = true;
  button.setPointerCapture(event.pointerId);

  /** @param {PointerEvent} event */
  const follow = ({ clientX, clientY }) => {
    const x = clientX - start.x,
      y = clientY - start.y;
    dragging ||= Math.hypot(x, y) > STILL;
    if (!dragging) return;
    item.classList.add("dragged");
    const box = list.getBoundingClientRect(),
      from = order.indexOf(piece);
    const to = nearest(order, itemOf, piece, clientX - box.left, clientY - box.top);
    if (to !== from) {
      order = moved(order, from, to);
      slide(items, item, () => order.forEach((one, index) => (itemOf(one).style.order = String(index))));
    }
    item.style.transform = `translate(${start.left + x - item.offsetLeft}px, ${start.top + y - item.offsetTop}px)`;
  };
  /** @param {boolean} accepted */
  const drop = (accepted) => {
    button.onpointermove = button.onpointerup = button.onpointercancel = null;
    removeEventListener("keydown", leave, true);
    view.dragged = false;
    if (accepted && order.some((one, index) => one !== first[index])) commit(view, order, piece);
    else draw(view);
  };
  /** @param {KeyboardEvent} pressed */
  const leave = (pressed) => {
    if (pressed.key !== "Escape") return;
    pressed.stopPropagation();
    drop(false);
  };
  button.onpointermove = follow;
  button.onpointerup = (event) => {
    follow(event);
    drop(true);
  };
  button.onpointercancel = () => drop(false);
  addEventListener("keydown", leave, true);
}

/**
 * The index of the piece nearest to the pointer, once the pointer is past its middle.
 * @param {number[]} order @param {(piece: number) => HTMLElement} itemOf @param {number} dragged @param {number} x
 * @param {number} y
 */
function nearest(order, itemOf, dragged, x, y) {
  /** @param {HTMLElement} item */
  const away = (item) =>
    Math.hypot(
      Math.max(item.offsetLeft - x, 0, x - item.offsetLeft - item.offsetWidth),
      Math.max(item.offsetTop - y, 0, y - item.offsetTop - item.offsetHeight),
    );
  const distances = order.map((one) => away(itemOf(one)));
  const to = distances.indexOf(Math.min(...distances)),
    from = order.indexOf(dragged);
  const there = itemOf(order[to]),
    middle = there.offsetLeft + there.offsetWidth / 2;
  const otherLine = there.offsetTop !== itemOf(dragged).offsetTop;
  return otherLine || (to > from ? x > middle : x < middle) ? to : from;
}

/** @param {HTMLElement[]} items @param {HTMLElement} dragged @param {() => void} rearrange */
function slide(items, dragged, rearrange) {
  const before = items.map((item) => [item.offsetLeft, item.offsetTop]);
  rearrange();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  items.forEach((item, i) => {
    const x = before[i][0] - item.offsetLeft,
      y = before[i][1] - item.offsetTop;
    if (item !== dragged && (x || y))
      item.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], 160);
  });
}

/**
 * Several key presses are one message; answers to earlier ones are ignored.
 * @param {View} view @param {number[]} order @param {number} piece
 */
function commit(view, order, piece) {
  Object.assign(view, { order, sent: view.sent + 1 });
  draw(view);
  within(view.list, `[data-piece="${piece}"]`).focus();
  view.message.textContent = described(view, piece, order.indexOf(piece));
  clearTimeout(view.timer);
  view.timer = setTimeout(() => view.say("moved", { order: view.order, sent: view.sent }), PAUSE);
}

/** @param {number[]} order @param {number} from @param {number} to */
function moved(order, from, to) {
  const others = order.filter((_, index) => index !== from);
  return [...others.slice(0, to), order[from], ...others.slice(to)];
}

/** @param {View} view @param {HTMLElement} button */
function indexOf({ order }, button) {
  return order.indexOf(Number(button.dataset.piece));
}

/** @param {View} view @param {number} piece @param {number} index */
function described({ data: { names, words } }, piece, index) {
  return filled(words.piece, { name: names[piece], number: index + 1, n: names.length });
}
