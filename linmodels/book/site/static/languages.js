// A page in two languages: the reader chooses 中文, English or both, and this browser keeps it. On paper both are seen.
(() => {
  const KEY = "linmodels language";
  const names = { zh: ["中文", "Chinese"], both: ["双语", "both languages"], en: ["EN", "English"] };
  const page = document.documentElement;
  let reads = navigator.language.startsWith("zh") ? "zh" : "both";
  try {
    const kept = localStorage.getItem(KEY);
    if (kept in names) reads = kept;
  } catch {} // a browser that keeps nothing
  page.dataset.reads = reads; // before the page is seen

  function choose(language) {
    const place = [...document.querySelectorAll(".bd-article :is(h1, h2, h3)")].find((e) => e.getBoundingClientRect().bottom > 0);
    const before = place?.getBoundingClientRect().top;
    page.dataset.reads = language;
    try {
      localStorage.setItem(KEY, language);
    } catch {}
    show();
    fitAll(); // formulas that were not seen have not been fitted
    if (place) scrollBy({ top: place.getBoundingClientRect().top - before, behavior: "instant" });
  }
  function show() {
    for (const each of document.querySelectorAll(".languages button")) each.ariaPressed = String(each.value === page.dataset.reads);
  }
  addEventListener("DOMContentLoaded", () => {
    const bar = document.querySelector(".article-header-buttons");
    if (!document.querySelector("div.zh") || !bar) return;
    const buttons = Object.entries(names).map(([value, [textContent, title]]) =>
      make("button", { value, textContent, title, type: "button", onclick: () => choose(value) }),
    );
    bar.prepend(make("div", { className: "languages", role: "group", ariaLabel: "语言 language" }, ...buttons));
    show();
  });
})();
