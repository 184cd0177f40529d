// For paper, as the printing of a chapter begins: what is folded goes to its end, and each formula learns its size.
addEventListener("beforeprint", () => {
  const article = document.querySelector(".bd-article");
  if (!document.getElementById("cells")) return;
  setAll();
  document.querySelectorAll(".on-paper").forEach((each) => each.remove()); // of the last time
  const link = (id, textContent) => make("a", { href: `#${id}`, textContent });
  const end = make("section", { id: "answers" }, make("h2", { textContent: "Answers" }));
  let [section, question, n] = ["", "", 0];
  for (const each of article.querySelectorAll("h2, p > strong:not(details *, blockquote *), details:not(.run-output *)")) {
    const label = each.querySelector("summary, .collapsed")?.innerText.split("\n")[0].replace("Show the", "The");
    if (each.tagName === "H2") [section, question] = [each.textContent.replace(/[#¶]$/, ""), ""];
    else if (each.tagName === "STRONG") {
      if (each.parentElement.textContent.startsWith(each.textContent)) question = each.textContent.replace(/\.$/, "");
    } else if (!each.matches(".hide") || label.startsWith("The code that answers")) {
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
  document.documentElement.style.setProperty("--chapter", JSON.stringify(document.querySelector("h1").innerText));
  for (const formula of document.querySelectorAll("mjx-container[display]")) {
    const em = parseFloat(getComputedStyle(formula).fontSize);
    const paper = 670 - Math.max(0, formula.getBoundingClientRect().left - article.getBoundingClientRect().left); // A4
    formula.style.setProperty("--fit", `${(paper * em) / formula.firstElementChild.getBoundingClientRect().width}px`);
  }
  end.className = "on-paper";
});
