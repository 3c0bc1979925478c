// What all components are handed; nothing of it runs.

/** Where a component draws. */
type Ground = HTMLElement | ShadowRoot;

/** What Streamlit hands to a component whenever it is to draw. */
type Handed<Data> = { data: Data; parentElement: Ground; setTriggerValue: (name: string, value: unknown) => void };
