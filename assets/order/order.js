// A sequence whose pieces are dragged, or moved with the arrow keys, into another order.
const STILL = 4,
  PAUSE = 250;

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? begun(parentElement);
  const other = JSON.stringify([data.names, data.photo]);
  root.say = setTriggerValue;
  if (root.pieces !== other || data.seen >= root.sent) {
    if (root.pieces !== other) clearTimeout(root.timer);
    Object.assign(root, { pieces: other, sent: data.seen, order: data.order });
  }
  root.data = data;
  if (!root.held) draw(root);
}

function begun(parent) {
  const root = parent.appendChild(made("section")),
    told = parent.appendChild(made("p", "told"));
  told.setAttribute("aria-live", "polite");
  return Object.assign(root, { told, sent: 0 });
}

function draw(root) {
  const { data, order } = root,
    focus = root.getRootNode().activeElement?.dataset.piece;
  const given = rowOf(
    data,
    data.said.given,
    data.names.map((_, piece) => pieceOf(data, piece, "span")),
  );
  const moved = rowOf(
    data,
    data.said.order,
    order.map((piece, place) => {
      const button = pieceOf(data, piece, "button");
      button.type = "button";
      button.setAttribute("aria-description", filled(data.said.piece, data, piece, place));
      return button;
    }),
  );
  given.classList.add("given");
  root.replaceChildren(given, moved);
  root.list = moved.querySelector("ol");
  root.list.onpointerdown = (event) => take(root, event);
  root.list.onkeydown = (event) => press(root, event);
  if (focus !== undefined) root.list.querySelector(`[data-piece="${focus}"]`)?.focus();
}

function rowOf(data, title, pieces) {
  const figure = made("figure"),
    list = made("ol");
  if (data.columns) list.style.gridTemplateColumns = `repeat(${data.columns}, auto)`;
  list.classList.toggle("patches", Boolean(data.columns));
  list.append(
    ...pieces.map((piece) => {
      const item = made("li");
      item.append(piece);
      return item;
    }),
  );
  figure.append(made("figcaption", "", title), list);
  return figure;
}

function pieceOf(data, piece, tag) {
  const element = made(tag, data.photo ? "piece photo" : "piece token");
  element.dataset.piece = piece;
  element.title = data.names[piece];
  if (data.photo) {
    const step = 100 / (data.columns - 1),
      row = Math.floor(piece / data.columns);
    element.style.backgroundImage = `url("${data.photo}")`;
    element.style.backgroundSize = `${100 * data.columns}%`;
    element.style.backgroundPosition = `${(piece % data.columns) * step}% ${row * step}%`;
  } else element.append(made("span", "name", data.names[piece]));
  element.append(made("small", "", piece + 1));
  return element;
}

function press(root, event) {
  const button = event.target.closest("[data-piece]"),
    from = button ? placeOf(root, button) : -1;
  const line = root.data.columns || 1,
    last = root.order.length - 1;
  const to = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - line,
    ArrowDown: from + line,
    Home: 0,
    End: last,
  }[event.key];
  if (from < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (root.held || to < 0 || to > last) return;
  commit(root, moved(root.order, from, to), root.order[from]);
}

function take(root, event) {
  const button = event.target.closest("[data-piece]");
  if (!button || event.button || root.held) return;
  const item = button.parentElement,
    list = root.list,
    items = [...list.children],
    first = root.order;
  const start = { x: event.clientX, y: event.clientY, left: item.offsetLeft, top: item.offsetTop };
  const piece = Number(button.dataset.piece);
  let order = first,
    dragging = false;
  const itemOf = (one) => items[first.indexOf(one)];
  root.held = true;
  button.setPointerCapture(event.pointerId);

  const follow = ({ clientX, clientY }) => {
    const x = clientX - start.x,
      y = clientY - start.y;
    dragging ||= Math.hypot(x, y) > STILL;
    if (!dragging) return;
    item.classList.add("held");
    const box = list.getBoundingClientRect(),
      from = order.indexOf(piece);
    const to = nearest(order, itemOf, piece, clientX - box.left, clientY - box.top);
    if (to !== from) {
      order = moved(order, from, to);
      slide(items, item, () => order.forEach((one, place) => (itemOf(one).style.order = place)));
    }
    item.style.transform = `translate(${start.left + x - item.offsetLeft}px, ${start.top + y - item.offsetTop}px)`;
  };
  const drop = (kept) => {
    for (const name of ["pointermove", "pointerup", "pointercancel"]) button[`on${name}`] = null;
    removeEventListener("keydown", escape, true);
    root.held = false;
    if (kept && order.some((one, place) => one !== first[place])) commit(root, order, piece);
    else draw(root);
  };
  const escape = (pressed) => {
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
  addEventListener("keydown", escape, true);
}

// The place of the piece nearest to the pointer, once the pointer is past its middle.
function nearest(order, itemOf, held, x, y) {
  const away = (item) =>
    Math.hypot(
      Math.max(item.offsetLeft - x, 0, x - item.offsetLeft - item.offsetWidth),
      Math.max(item.offsetTop - y, 0, y - item.offsetTop - item.offsetHeight),
    );
  const distances = order.map((one) => away(itemOf(one)));
  const to = distances.indexOf(Math.min(...distances)),
    from = order.indexOf(held);
  const there = itemOf(order[to]),
    middle = there.offsetLeft + there.offsetWidth / 2;
  const otherLine = there.offsetTop !== itemOf(held).offsetTop;
  return otherLine || (to > from ? x > middle : x < middle) ? to : from;
}

function slide(items, held, rearrange) {
  const before = items.map((item) => [item.offsetLeft, item.offsetTop]);
  rearrange();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  items.forEach((item, i) => {
    const x = before[i][0] - item.offsetLeft,
      y = before[i][1] - item.offsetTop;
    if (item !== held && (x || y))
      item.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], 160);
  });
}

// Several presses of a key are one message; until the server has heard the last, its answers wait.
function commit(root, order, piece) {
  const { data } = root;
  Object.assign(root, { order, sent: root.sent + 1 });
  draw(root);
  root.list.querySelector(`[data-piece="${piece}"]`).focus();
  root.told.textContent = filled(data.said.piece, data, piece, order.indexOf(piece));
  clearTimeout(root.timer);
  root.timer = setTimeout(() => root.say("moved", { order: root.order, sent: root.sent }), PAUSE);
}

function moved(order, from, to) {
  const others = order.filter((_, place) => place !== from);
  return [...others.slice(0, to), order[from], ...others.slice(to)];
}

function placeOf(root, button) {
  return root.order.indexOf(Number(button.dataset.piece));
}

function filled(template, data, piece, place) {
  const fields = { name: data.names[piece], place: place + 1, n: data.names.length };
  return template.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

function made(tag, name = "", text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}
