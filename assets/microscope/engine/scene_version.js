import { unpacked } from "./blob.js";

export const VERSION = 3; // of the scenes that this microscope reads: views/scene/scene.py

/**
 * A scene's header and arrays. Throws for a scene of another version, in both languages, for its
 * words may be missing.
 * @param {Uint8Array} bytes
 */
export function sceneOf(bytes) {
  const scene = unpacked(bytes),
    found = scene.version ?? 0;
  if (found === VERSION) return scene;
  const zh = `这份数据是第 ${found} 版，而这台显微镜读的是第 ${VERSION} 版，请重新生成。`;
  const en = `This scene is of version ${found}, and this microscope reads version ${VERSION}: make it anew.`;
  throw new RangeError(`${zh} ${en}`);
}
