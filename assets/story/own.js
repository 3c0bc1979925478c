import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { arcs } from "./arcs.js";

/**
 * A word of a sentence that wraps, as on a phone, where arcs would run out of the screen.
 * @param {string} name @param {number} share @param {number} word @param {number} query
 * @param {(word: number) => void} onChoose
 */
function wordButton(name, share, word, query, onChoose) {
  const content = [name, make("small", "", word > query ? "" : `${plain(100 * share, 0)} %`)],
    button = make("button", word === query ? "query" : "", content, { onclick: () => onChoose(word) });
  button.style.setProperty("--part", `${Math.round(60 * share)}%`);
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
    const printed = shares.map((share, word) => (word > query ? [] : [`${plain(100 * share, 0)} %`]));
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
      share: plain(100 * shares[key], 0),
    });
    return "";
  };
  return { element, draw };
}
