import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { arcs } from "./arcs.js";
import { share } from "./query_row.js";

/**
 * A word of a sentence that wraps, as on a phone, where arcs would run out of the screen.
 * @param {string} name @param {number} part @param {number} word @param {number} query
 * @param {(word: number) => void} onChoose
 */
function wordButton(name, part, word, query, onChoose) {
  const content = [name, make("small", "", word > query ? "" : share(part))],
    button = make("button", word === query ? "query" : "", content, { onclick: () => onChoose(word) });
  button.style.setProperty("--part", `${Math.round(60 * part)}%`);
  return button;
}

/**
 * The reader's own sentence in a trained decoder: a touched word shows where it looks in the head that links it most, and
 * below stands what the model says next, and what where no word may look at the touched one.
 * @param {Story} story
 */
export function own(story) {
  const { labels, own: given } = story.words,
    picture = make("div", "picture scrolls", "", { tabIndex: 0 }),
    line = make("p", "takes", "", { role: "status" }),
    flowing = make("div", "flowing"),
    element = make("div", "figure", [picture, flowing]);
  if (!given) return { element, draw: () => "" };
  const hint = make("p", "hint", filled(labels.touch, { word: given.touch })),
    head = make("p", "quiet"),
    following = make("div", "following");
  /** @param {Comparison} comparison */
  const said = ([what, words]) => make("div", "", [make("span", "quiet", what), make("b", "likeliest", words)]);
  element.append(line, hint, head, following);
  /** @param {number} word */
  const onChoose = (word) => {
    story.word = word;
    story.moved();
  };
  const draw = () => {
    const query = story.word,
      shares = given.rows[query],
      key = shares.indexOf(Math.max(...shares));
    const printed = shares.map((part, word) => (word > query ? [] : [share(part)]));
    picture.replaceChildren(
      arcs({ names: given.names, query, shares: [shares], printed, label: labels.arcs, chosen: query, onChoose }),
    );
    flowing.replaceChildren(...given.names.map((name, word) => wordButton(name, shares[word], word, query, onChoose)));
    head.textContent = given.heads[query];
    const compared = given.hidden[query],
      other = said(compared ?? given.hidden[given.query] ?? given.now);
    other.style.visibility = compared ? "" : "hidden"; // its place stays
    following.replaceChildren(said(given.now), other);
    hint.hidden = !given.touch;
    hint.classList.toggle("kept", story.followed.has(story.scene)); // its place stays
    const { scrollWidth, clientWidth } = picture;
    picture.scrollLeft = (scrollWidth * (query + key + 1)) / 2 / given.names.length - clientWidth / 2;
    line.textContent = filled(labels.takes, {
      query: given.names[query],
      key: given.names[key],
      share: share(shares[key]),
    });
    return "";
  };
  return { element, draw };
}
