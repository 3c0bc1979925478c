/** @param {Handed<string>} handed */
export default function ({ data }) {
  document.documentElement.lang = data;
}
