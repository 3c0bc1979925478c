import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { arcs } from "./arcs.js";

/**
 * The reader's own sentence in a head of a trained decoder; a touched word shows where it looks.
 * @param {Story} story
 */
export function own(story) {
  const { labels, own: given } = story.words,
    picture = make("div", "picture scrolls", "", { tabIndex: 0 }),
    line = make("p", "takes", "", { role: "status" }),
    element = make("div", "figure", [picture]);
  if (!given) return { element, draw: () => "" };
  element.append(line, make("p", "quiet", given.what), make("p", "quiet", given.following));
  const draw = () => {
    const query = story.word,
      shares = given.weights[query],
      key = shares.indexOf(Math.max(...shares));
    const printed = shares.map((share, word) => (word > query ? "" : `${plain(100 * share, 0)} %`));
    picture.replaceChildren(
      arcs({
        names: given.names,
        query,
        shares: [shares],
        printed,
        label: labels.arcs,
        chosen: query,
        onChoose: (word) => {
          story.word = word;
          story.moved();
        },
      }),
    );
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
