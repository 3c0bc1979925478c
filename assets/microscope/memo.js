/**
 * What a map has under a name, made the first time; beyond most of them all are forgotten.
 * @template Name, Made
 * @param {Map<Name, Made>} map @param {Name} name @param {() => Made} make @param {number} [most]
 */
export function memo(map, name, make, most = Infinity) {
  const found = map.get(name);
  if (found !== undefined) return found;
  const made = make();
  if (map.size > most) map.clear();
  map.set(name, made);
  return made;
}
