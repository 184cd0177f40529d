// An element of a page, with what is in it; for all scripts.
function make(tag, options = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), options);
  made.append(...inside);
  return made;
}

// From a folder no page may read another one, so there are no excerpts to show, and nothing should ask for them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A derivation is read with its reasons: one that is wider than the page becomes smaller, down to two thirds.
function fit(formulas) {
  for (const each of formulas) each.style.fontSize = each.dataset.size ??= each.style.fontSize;
  const shares = formulas.map((each) => each.clientWidth / each.scrollWidth); // all at once: each change costs a layout
  formulas.forEach((each, k) => {
    if (shares[k] < 1) each.style.fontSize = `calc(${each.dataset.size || "1em"} * ${Math.max(0.66, 0.98 * shares[k])})`;
  });
}
const fitAll = () => fit([...document.querySelectorAll("mjx-container[display]")]);
addEventListener("resize", fitAll);

// MathJax sets a formula when it comes near; then it is fitted. Paper needs all of them.
addEventListener("DOMContentLoaded", () => {
  const set = (changes) => changes.flatMap((change) => [...change.addedNodes]).filter((each) => each.matches?.("mjx-container[display]"));
  const article = document.querySelector(".bd-article");
  if (article) new MutationObserver((changes) => fit(set(changes))).observe(article, { childList: true, subtree: true });
});
const setAll = () => window.MathJax?.startup?.document?.lazyTypesetAll?.();

// Paper waits for no font, and without its own a formula has no bold letters.
addEventListener("load", () =>
  window.MathJax?.startup?.promise?.then(() =>
    Promise.allSettled([...document.fonts].filter(({ family }) => family.includes("MJX")).map((font) => font.load())),
  ),
);
