import { make } from "../../shared/dom.js";
import { bytes } from "../engine/numbers.js";

const COLUMN = 85, // mm: a column of a paper, and both; views/export/paper.py bounds the width
  PAGE = 175,
  NARROWEST = 30,
  WIDEST = 400,
  LONGEST = 300, // characters of a caption
  NAMED = 1.6; // mm of a cell, from which on its row has a name
/** About how many bytes a figure is, and a letter and a cell of it. */
const BYTES = { paper_svg: [2_000, 330, 1.7], paper_pdf: [5_000, 50, 1.3], paper_png: [35_000, 370, 2.5] };

/**
 * What is chosen of a figure for a paper: its width, a caption, and one head or all.
 *
 * asked: what the server is sent. snippet: the script that makes the figure again of the numbers in a file.
 * @param {Store} store @param {() => void} onChange
 */
export function figureForm(store, onChange) {
  const width = make("input", "", "", {
      type: "number",
      min: String(NARROWEST),
      max: String(WIDEST),
      value: String(COLUMN),
    }),
    caption = make("input", "caption", "", { type: "text", maxLength: LONGEST }),
    allHeads = make("input", "", "", { type: "checkbox" }),
    labels = [width, caption, allHeads].map((input) => make("label", "", [make("span"), input])),
    element = make("div", "form", labels);
  width.oninput = caption.oninput = onChange;
  allHeads.onchange = () => {
    const [before, now] = allHeads.checked ? [COLUMN, PAGE] : [PAGE, COLUMN];
    if (Number(width.value) === before) width.value = String(now);
    onChange();
  };
  const heads = () => store.trace.headsOf(store.stage),
    isGrid = () => allHeads.checked && heads() > 1;

  function changed() {
    const { width: wide, caption: said, all_heads } = store.trace.sheets.words.paper;
    [wide, said, all_heads].forEach((text, i) => {
      if (labels[i].firstElementChild) labels[i].firstElementChild.textContent = text;
    });
    labels[2].hidden = heads() < 2;
  }

  /** About how large each would be, by format. @returns {Record<string, string>} */
  function sizes() {
    const { trace, stage } = store,
      [rows, columns] = store.drawnRoles(stage).map((role) => (role ? trace.size(stage, role) : 1)),
      planes = isGrid() ? heads() : 1;
    const named = !isGrid() && columns * NAMED < Number(width.value) / 1.4,
      letters = caption.value.length + 10 + (named ? 3 * (rows + columns) : 4 * planes);
    return Object.fromEntries(
      Object.entries(BYTES).map(([format, [all, letter, cell]]) => [
        format,
        bytes(all + letter * letters + cell * rows * columns * planes),
      ]),
    );
  }

  /** What the name of a file says. */
  const words = () => [isGrid() ? "all-heads" : heads() > 1 ? `head-${store.head + 1}` : "", `${width.value}mm`];

  /** @param {string} npz @param {string} file @param {string} title */
  function snippet(npz, file, title) {
    const { trace, stage } = store,
      drawn = store.drawnRoles(stage),
      at = Object.entries(store.pointed({ hover: null })).filter(
        ([role, position]) => position && !drawn.includes(role) && trace.stage(stage).roles.includes(role),
      );
    const given = {
      at: Object.fromEntries(isGrid() ? at.filter(([role]) => role !== "head") : at),
      all_heads: isGrid() ? "True" : null,
      width: Number(width.value),
      caption: caption.value,
      title,
      origin: trace.sheets.origin,
      lang: trace.words.code,
    };
    const lines = Object.entries(given).filter(
      ([, value]) => value && (typeof value !== "object" || Object.keys(value).length),
    );
    return [
      "# pip install attention-microscope",
      "from pathlib import Path",
      "",
      "import attention_microscope as am",
      "",
      `trace = am.load(${JSON.stringify(npz)})`,
      "figure = am.paper(",
      "    trace,",
      `    ${JSON.stringify(stage)},`,
      ...lines.map(([name, value]) => `    ${name}=${name === "all_heads" ? value : JSON.stringify(value)},`),
      ")",
      `Path(${JSON.stringify(file)}).write_bytes(figure)  # form="pdf" and form="png" too`,
      "",
    ].join("\n");
  }

  return {
    element,
    changed,
    sizes,
    words,
    snippet,
    get asked() {
      return { width: Number(width.value), caption: caption.value, all_heads: isGrid() };
    },
  };
}
