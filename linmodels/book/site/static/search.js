// The page of the search: what it asks for, and how it shows what it has found.
if (typeof Search !== "undefined") {
  // TeX as plain signs.
  const SIGNS = { le: "≤", ge: "≥", ne: "≠", cdot: "·", times: "×", pm: "±", to: "→", leftarrow: "←", in: "∈", nabla: "∇", sum: "∑" };
  Object.assign(SIGNS, { lVert: "‖", rVert: "‖", lvert: "|", rvert: "|", mid: "|", infty: "∞", ldots: "…", dots: "…", top: "ᵀ" });
  const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final sigma tau upsilon phi chi psi omega";
  GREEK.split(" ").forEach((name, k) => (SIGNS[name] = String.fromCodePoint(0x3b1 + k)));
  const LOOKS = "mathbf mathbb mathcal mathrm boldsymbol operatorname text left right big bigl bigr Big Bigl Bigr !";
  for (const name of LOOKS.split(" ")) SIGNS[name] = "";
  for (const name of [..." ,;:", "quad", "qquad"]) SIGNS[name] = " ";
  const signs = (tex) => tex.replace(/\\([A-Za-z]+|[ ,;:!]) ?/g, (whole, name) => SIGNS[name] ?? whole);
  const bare = (text) => text.replace(/[\\{}]/g, "").replace(/\s+/g, " ").trim();
  function formula(tex) {
    const text = signs(tex.replace(/\\[()[\]]/g, ""));
    return /\\|[_^]\{|&/.test(text) ? "…" : bare(text); // not all formulas can be written in one line
  }

  // The excerpt of a result. The place of an id or a subject is an anchor without a text: its section has one.
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html").querySelector('[role="main"]');
    page.querySelectorAll(".headerlink, script, style").forEach((each) => each.remove());
    page.querySelectorAll(".math").forEach((each) => (each.textContent = formula(each.textContent)));
    const place = anchor ? page.querySelector(anchor) : page;
    return place?.textContent.trim() || (place?.closest("section") ?? page).textContent;
  };

  // "A 5.3.1" and "A 5.3.1.2", as one cites a note, are asked for as the ids are written: A-5.3.1-2.
  function asId(query) {
    const [, note, place] = /^\s*([A-E])[\s-]+([\w.-]+)\s*$/i.exec(query) ?? [];
    if (!note) return query;
    const entries = Object.keys(Search._index.indexentries);
    const leads = (id) => entries.some((entry) => entry.startsWith(id.toLowerCase()) && entry.length <= 2 * id.length);
    return [`${note}-${place}`, `${note}-${place.replace(/\.(\d+)$/, "-$1")}`].find(leads) ?? query;
  }
  const ask = Search.query;
  Search.query = (query) => ask(asId(query));

  // A result of the index says where it leads: to the heading of which its anchor is made, or to an id.
  const slug = (heading) => (heading.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-"); // as in pages.py
  function where(name, anchor) {
    const { docnames, titles, alltitles, indexentries } = Search._index;
    const file = docnames.indexOf(name);
    const leads = ([page, place]) => page === file && `#${place}` === anchor;
    if (anchor.startsWith("#index-")) {
      const id = Object.keys(indexentries).find((entry) => indexentries[entry].some(leads));
      return id[0].toUpperCase() + id.slice(1);
    }
    const named = /^#at-\d+-(?:(.*)-)?x\d+$/.exec(anchor);
    const heading = named && Object.keys(alltitles).find((each) => slug(each) === (named[1] ?? "") && alltitles[each].some(([page]) => page === file));
    return heading === titles[file] ? null : heading;
  }
  const find = Search._performSearch;
  Search._performSearch = (...asked) =>
    find(...asked).map(([name, title, anchor, ...more]) => {
      const place = more.at(-1) === SearchResultKind.index && where(name, anchor);
      return [name, bare(signs(place ? `${title} > ${place}` : title)), anchor, ...more];
    });
}
