const NARROW = "(max-width: 767px)"; // where Streamlit lays its sidebar over the page

// Where the sidebar covers the page, choosing a page in it closes it.
export default function () {
  document.addEventListener("click", close);
  return () => document.removeEventListener("click", close);
}

function close({ target, ctrlKey, metaKey, shiftKey }) {
  if (ctrlKey || metaKey || shiftKey || !matchMedia(NARROW).matches) return; // a page in a tab of its own
  const link = target.closest?.('[data-testid="stSidebar"] [data-testid="stPageLink"]');
  if (link) document.querySelector('[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]')?.click();
}
