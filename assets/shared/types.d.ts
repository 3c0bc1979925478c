// Types that all components share.

/** Where a component draws. */
type Ground = HTMLElement | ShadowRoot;

/** The arguments of a Streamlit component, at every run. */
type ComponentArgs<Data> = {
  data: Data;
  parentElement: Ground;
  setTriggerValue: (name: string, value: unknown) => void;
};

interface Document {
  /** While the app opens an address, which Streamlit does not. */
  isOpening?: boolean;
}
