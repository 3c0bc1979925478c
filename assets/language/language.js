/** @param {ComponentArgs<string>} args */
export default function ({ data }) {
  document.documentElement.lang = data;
}
