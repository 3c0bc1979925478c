import { connect } from "../../assets/microscope/hosts/connect.js";
import { sceneOf } from "../../assets/microscope/engine/blob.js";
import { mount } from "../../assets/microscope/mount.js";
import { Trace } from "../../assets/microscope/engine/trace.js";

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Two microscopes on one page, each with what follows it.
globalThis.mounted = Object.fromEntries(globalThis.scenes.map(([name, scene, stage]) => {
  const host = document.body.appendChild(document.createElement("div"));
  host.id = name;
  const root = host.attachShadow({ mode: "open" }), sheet = root.appendChild(document.createElement("style"));
  sheet.textContent = globalThis.styles;
  const follower = { events: 0 };
  connect(name, (store) => store.listen(() => (follower.events += 1)));
  const instance = mount(root, { name, hints: false });
  instance.show(new Trace(sceneOf(bytes(scene))), { stage, positions: { query: 1, key: 0 } });
  return [name, { instance, follower }];
}));
