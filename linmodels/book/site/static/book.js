// An element of a page, with what is in it; for all scripts.
function make(tag, options = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), options);
  made.append(...inside);
  return made;
}

// From a folder no page may read another one, so there are no excerpts to show, and nothing should ask for them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A derivation is read with its reasons: one that is wider than the page becomes smaller, down to two thirds.
function fit(formula) {
  const size = (formula.dataset.size ??= getComputedStyle(formula).fontSize);
  formula.style.fontSize = size;
  const share = formula.clientWidth / formula.scrollWidth;
  if (share < 1) formula.style.fontSize = `calc(${size} * ${Math.max(0.66, 0.98 * share)})`;
}
function fitAll() {
  document.querySelectorAll("mjx-container[display]").forEach(fit);
}
addEventListener("load", () => window.MathJax?.startup?.promise?.then(fitAll));
addEventListener("resize", fitAll);

// The place of an id or a subject is an anchor without a text: its section has one.
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const textOf = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const place = () => new DOMParser().parseFromString(html, "text/html").querySelector(anchor);
    return textOf(html, anchor).trim() || place().closest("section").textContent;
  };
});

// A result that leads to a section says which: its anchor is made of the heading.
addEventListener("load", () => {
  const results = document.getElementById("search-results");
  if (!results) return;
  new MutationObserver(() =>
    results.querySelectorAll('a[href*="#at-"]:not([data-told])').forEach((link) => {
      link.dataset.told = "";
      link.append(`: ${link.hash.replace(/^#at-\d+-|-x\d+$/g, "").replaceAll("-", " ")}`);
    }),
  ).observe(results, { childList: true, subtree: true });
});
