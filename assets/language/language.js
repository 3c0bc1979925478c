export default function ({ data }) {
  document.documentElement.lang = data;
}
