// For paper, as the printing of a page begins: its formulas are set, and each learns its size. What a chapter has folded
// goes to its end.
addEventListener("beforeprint", () => {
  const article = document.querySelector(".bd-article");
  if (!article) return;
  setAll();
  const end = document.getElementById("cells") && answersAtTheEnd(article);
  const sizes = [...document.querySelectorAll("mjx-container[display]")].map((formula) => {
    const em = parseFloat(getComputedStyle(formula).fontSize);
    const paper = 670 - Math.max(0, formula.getBoundingClientRect().left - article.getBoundingClientRect().left); // A4
    return [formula, (paper * em) / formula.firstElementChild.getBoundingClientRect().width];
  }); // all at once: each change costs a layout
  for (const [formula, size] of sizes) formula.style.setProperty("--fit", `${size}px`);
  if (end) end.className = "on-paper"; // it has been measured
  document.documentElement.style.setProperty("--chapter", JSON.stringify(document.querySelector("h1").innerText));
});

function answersAtTheEnd(article) {
  document.querySelectorAll(".on-paper").forEach((each) => each.remove()); // of the last time
  const link = (id, textContent) => make("a", { href: `#${id}`, textContent });
  const end = make("section", { id: "answers" }, make("h2", { textContent: "Answers" }));
  const note = "The cells and results of the book. What you write on its page stays in your browser.";
  article.querySelector("h1").after(make("div", { className: "on-paper", textContent: note }));
  let [section, question, n] = ["", "", 0];
  for (const each of article.querySelectorAll("h2, p > strong:not(details *, blockquote *), details:not(.run-output *)")) {
    const label = each.querySelector("summary, .collapsed")?.innerText.split("\n")[0].replace(/^Show (.)/, (all, letter) => letter.toUpperCase());
    if (each.tagName === "H2") [section, question] = [each.textContent.replace(/[#¶]$/, ""), ""];
    else if (each.tagName === "STRONG") {
      if (each.parentElement.textContent.startsWith(each.textContent)) question = each.textContent.replace(/\.$/, "");
    } else if (!each.matches(".hide") || /^(The code that answers|What this code prints)/.test(label)) {
      const short = label === "An answer";
      const name = `${short ? question : label} · ${section}`;
      const head = make("p", {}, make("strong", { textContent: `${++n}. ${name} ` }), link(`asked-${n}`, "(back)"));
      const copy = each.cloneNode(true);
      copy.firstElementChild.remove();
      copy.querySelectorAll("[id]").forEach((named) => named.removeAttribute("id"));
      end.append(make("div", { id: `answer-${n}`, className: "answer" }, head, ...copy.childNodes));
      const there = link(`answer-${n}`, short ? `Answer ${n}, at the end` : `${label}: answer ${n}, at the end`);
      each.before(make("p", { id: `asked-${n}`, className: "on-paper" }, there));
    }
  }
  article.append(end);
  document.querySelector("#jb-print-toc ul").append(make("li", { className: "on-paper" }, link("answers", "Answers")));
  return end;
}
