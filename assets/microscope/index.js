// Index expressions of core/rules.py. A name stands for a place, a number for itself.
export function resolve(index, at, read) {
  if (typeof index === "string") return at[index];
  if (typeof index === "number") return index;
  const [kind, first, second, third] = index;
  if (kind === "look_up") return read(first, second.map((part) => resolve(part, at, read)));
  const place = resolve(first, at, read);
  if (kind === "join") return place * second + resolve(third, at, read);
  if (kind === "div") return Math.floor(place / second);
  if (kind === "mod") return place % second;
  if (kind === "minus") return place - second;
  throw new TypeError(`not an index expression: ${index}`);
}

export function substitute(index, by) {
  if (typeof index === "string") return by[index];
  if (typeof index === "number") return index;
  const [kind, ...parts] = index;
  if (kind === "look_up") return [kind, parts[0], parts[1].map((part) => substitute(part, by))];
  if (kind === "join") return [kind, substitute(parts[0], by), parts[1], substitute(parts[2], by)];
  return [kind, substitute(parts[0], by), parts[1]];
}

// Which of two names an expression depends on: a bit for each.
export function dependsOn(index, rows, columns) {
  if (typeof index === "string") return (index === rows ? 1 : 0) | (index === columns ? 2 : 0);
  if (typeof index === "number") return 0;
  const [kind, ...parts] = index;
  const inner = kind === "look_up" ? parts[1] : kind === "join" ? [parts[0], parts[2]] : [parts[0]];
  return inner.reduce((bits, part) => bits | dependsOn(part, rows, columns), 0);
}

// Whether the place is one part of the row plus one of the column, so that two small tables give it.
export function isAdditive(index, rows, columns) {
  if (dependsOn(index, rows, columns) < 3) return true;
  const [kind, first, , last] = index;
  if (kind === "join") return isAdditive(first, rows, columns) && isAdditive(last, rows, columns);
  return kind === "minus" && isAdditive(first, rows, columns);
}
