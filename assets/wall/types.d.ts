// Types of presenter view.

/** A key for presenter view, and the page that it was pressed on. */
type Press = { name: string; path: string };

/** What the link holds for each setting of a page's control: nothing for the default. */
type Settings = { control: string[]; name: string; texts: string[] };

interface Document {
  /** What was pressed before presenter view was there. */
  earlyKeys?: { pressed: Press[]; stop: () => void };
  controlSettings?: Settings;
}
