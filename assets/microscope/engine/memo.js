/**
 * Memoises a value in a map; the map is cleared beyond ``most`` entries.
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
