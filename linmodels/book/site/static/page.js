// A chapter's page that answers: its cells can be changed and run here, by Python in a worker of the page.
// What a cell needs and what it shows is decided in Python: session.py. Nothing is fetched before the first Run.
(() => {
  // What the reader wrote and solved, kept in the browser.
  function kept(key) {
    try {
      return JSON.parse(localStorage.getItem(`linmodels ${key}`)); // null, where nothing is kept
    } catch {} // a browser that keeps nothing
  }
  function keep(key, value) {
    try {
      localStorage.setItem(`linmodels ${key}`, JSON.stringify(value));
      keeps = true;
    } catch {
      keeps = false;
    }
  }
  let keeps = true; // did the browser keep what it was last asked to? It may be full, or private
  const LOST = "this browser keeps nothing: copy what you wrote before you leave the page";
  const hash = (text) => [...text].reduce((h, sign) => (h * 31 + sign.codePointAt(0)) | 0, 7);

  // Wherever a page names an exercise: is it solved? And on the page of all of them: how many are, which is next?
  function marks() {
    const solved = kept("solved") ?? {};
    const named = [...document.querySelectorAll("[data-exercise]")];
    const open = named.filter((mark) => !solved[mark.dataset.exercise]);
    for (const mark of named) mark.textContent = open.includes(mark) ? "" : `✓ solved on ${solved[mark.dataset.exercise]} `;
    const sum = document.getElementById("solved");
    if (!sum) return;
    sum.textContent = `This browser has solved ${named.length - open.length} of ${named.length}. `;
    if (open.length) sum.append("Next: ", open[0].closest("p").querySelector("a").cloneNode(true));
  }
  marks();
  addEventListener("pageshow", marks); // also of a page that the browser has kept as it was
  addEventListener("storage", marks); // another tab has solved one

  const found = document.getElementById("cells");
  if (!found) return;
  const book = JSON.parse(found.textContent);

  // The worker: Python, the library, and one session.
  function work() {
    let python, session;
    const say = (kind, more) => postMessage({ kind, ...more });
    const silent = { messageCallback() {}, errorCallback() {} };
    const fetched = self.fetch;
    let seen = 0;

    async function load({ addresses, total, library }) {
      self.fetch = async (...asked) => {
        const answer = await fetched(...asked);
        const transform = (chunk, on) => {
          say("loading", { share: Math.min(1, (seen += chunk.length) / total) });
          on.enqueue(chunk);
        };
        return answer.ok ? new Response(answer.body.pipeThrough(new TransformStream({ transform })), answer) : answer;
      };
      const faults = [];
      for (const indexURL of addresses) {
        try {
          const lock = await fetched(`${indexURL}pyodide-lock.json`, { signal: AbortSignal.timeout(20000) });
          if (!lock.ok) throw Error(`it answers ${lock.status}`);
          importScripts(`${indexURL}pyodide.js`);
          python = await loadPyodide({ indexURL, env: { MPLBACKEND: "agg" } }); // a worker has no window to draw in
          await python.loadPackage("numpy", silent);
          python.unpackArchive(library, "zip", { extractDir: "/book" });
          python.runPython("import sys, numpy; sys.path.insert(0, '/book')");
          session = python.pyimport("linmodels.book.site.session").Session((text) => postMessage(JSON.parse(text)));
          self.fetch = fetched;
          return say("ready");
        } catch (problem) {
          faults.push(`${indexURL}: ${problem.message}`);
        }
      }
      say("unreachable", { faults });
    }

    async function run({ cells, id }) {
      const plan = JSON.parse(session.plan(cells, id));
      if (plan.draws) {
        say("stage", { text: "loading what draws the pictures (10 MB, once)" });
        const faults = [];
        await python.loadPackage("matplotlib", { ...silent, errorCallback: (fault) => faults.push(fault) });
        if (faults.length) return say("missing", { faults, pictures: true });
      }
      for (const [n, k] of plan.order.entries()) {
        const last = n === plan.order.length - 1;
        say("stage", { text: last ? "running" : `running cell ${n + 1} of ${plan.order.length}, which this one may need` });
        session.run(k, !last);
      }
    }

    const draw = ({ cells, name, places }) => session.draw(cells, name, JSON.stringify(places));

    onmessage = async ({ data }) => {
      try {
        await { load, run, draw }[data.ask](data);
      } catch (problem) {
        say("error", { text: String(problem.message) });
      }
      if (data.ask !== "load") say("done");
    };
  }

  let [script, worker, ready, settle, current] = []; // ready: a promise that Python is there, or why not; current: the cell that runs

  function start(cell) {
    if (mute) cell.hear({ kind: "stage", text: AWAY });
    script ??= URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
    const started = (worker = new Worker(script));
    ready = new Promise((resolve) => {
      settle = resolve;
      started.onmessage = ({ data }) => {
        if (started !== worker) return; // it was stopped
        if (data.kind === "ready" || data.kind === "unreachable") resolve(data);
        else if (data.kind === "done") current?.end();
        else current?.cell.hear(data);
      };
      started.onerror = (problem) => resolve({ kind: "unreachable", faults: [problem.message] });
      const send = () => {
        const addresses = book.addresses.slice(mute ? 1 : 0).map((address) => new URL(address, location.href).href);
        const bytes = Uint8Array.from(atob(self.LINMODELS), (sign) => sign.charCodeAt(0)).buffer;
        started.postMessage({ ask: "load", addresses, total: book.bytes, library: bytes });
      };
      const nothing = () => resolve({ faults: [book.library] }); // a script: a page from a folder may load no other file
      if (self.LINMODELS) send();
      else document.head.append(make("script", { src: book.library, onload: send, onerror: nothing }));
    });
  }

  let [waiting, turn] = [Promise.resolve(), 0]; // turn: of Stop; what waited before it does not run
  function run(cell, state) {
    const [mine, asked] = [turn, {}];
    if (!state) cell.begin();
    if (!state) cell.asked = asked;
    waiting = waiting.then(async () => {
      if (!state && cell.asked !== asked) return; // it was stopped while it waited
      if (mine !== turn) {
        if (!state) cell.hear({ kind: "error", text: "It did not run: Python was stopped while it waited." });
        return cell.finish();
      }
      if (!worker) start(cell);
      const ended = new Promise((end) => (current = { cell, end }));
      const there = await ready;
      if (mine === turn && there.kind === "ready") {
        if (state) cell.begin(state);
        const cells = JSON.stringify(book.cells.map(({ id }) => ({ id, source: shown.get(id).text() })));
        worker.postMessage(state ? { ask: "draw", cells, ...state() } : { ask: "run", cells, id: cell.id });
        await ended;
      } else if (mine === turn) {
        cell.hear({ kind: "missing", faults: there.faults });
      }
      current = null;
      cell.finish();
    });
  }

  function end() {
    worker?.terminate();
    worker = null;
  }

  function stop(cell) {
    if (current && current.cell !== cell) {
      cell.asked = null;
      cell.hear({ kind: "error", text: "It did not run: it was stopped while it waited." });
      return cell.finish();
    }
    turn += 1;
    end();
    current?.cell.hear({ kind: "error", text: "Stopped. The next Run starts Python again, and runs what it needs." });
    current?.end();
    settle?.({ kind: "stopped" }); // a cell may wait for Python that was still to come
  }

  const SERVE = `Python could not be loaded: a page from a folder may read nothing but itself.
This site has Python in it: serve its folder (python3 -m http.server -d FOLDER), and open http://localhost:8000.`;
  const mute = location.protocol === "file:" && !book.addresses[0].startsWith("http"); // it may not read its own Python
  const AWAY = "asking the network for Python: a page from a folder may not read the one in this site (serve the folder, and it needs no network)";
  const nowhere = (faults, what = "Python") => mute ? SERVE : `${what} could not be loaded. Tried were:
${faults.map((fault) => `  ${fault}`).join("\n")}
${location.protocol === "file:" ? "(A page from a folder may read nothing but itself.) " : ""}Is there a connection to the network? With one, press Run again.
Without it there are two ways on: build the site with Python in it (linmodels site --python FOLDER) and serve its folder
(python -m http.server); or install the book, as its front page says, and run the chapter in JupyterLab.`;

  // Code in colors, and the keys of its editor.
  const TOKENS = RegExp(
    `(?<c1>#.*)|(?<s2>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\\\.|[^"\\\\\\n])*"?|'(?:\\\\.|[^'\\\\\\n])*'?)|(?<mi>\\b\\d[\\w.]*)` +
      "|(?<k>\\b(?:and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is" +
      "|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\\b)",
    "g",
  );
  function colored(text) {
    const escaped = text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
    return escaped.replace(TOKENS, (token, ...more) => {
      const kinds = more.at(-1);
      return `<span class="${Object.keys(kinds).find((kind) => kinds[kind] !== undefined)}">${token}</span>`;
    });
  }

  function keys(area, go) {
    let leaving = false; // after Escape, Tab moves on
    const write = (text) => document.execCommand("insertText", false, text); // which can be undone
    area.onkeydown = (press) => {
      const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
      const tab = press.key === "Tab" && !leaving && !press.ctrlKey && !press.altKey;
      const indented = press.key === "Backspace" && /^( {4})+$/.test(line) && area.selectionStart === area.selectionEnd;
      if (press.key !== "Shift") leaving = press.key === "Escape";
      if (press.isComposing || !(tab || indented || press.key === "Enter")) return;
      press.preventDefault();
      if (indented) shift(true);
      else if (press.key === "Enter" && (press.shiftKey || press.ctrlKey || press.metaKey)) go();
      else if (press.key === "Enter") write(`\n${/^ */.exec(line)[0]}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
      else if (!press.shiftKey && area.selectionStart === area.selectionEnd) write(" ".repeat(4 - (line.length % 4)));
      else shift(press.shiftKey);
    };

    function shift(back) { // the lines of the selection, by four blanks
      const [from, end] = [area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, area.selectionEnd];
      const lines = area.value.slice(from, end);
      const rest = /^ *$/.test(lines) ? /^ {0,4}/.exec(area.value.slice(end))[0] : ""; // blanks right of the caret
      const moved = back ? (lines + rest).replace(/^ {1,4}/gm, "") : lines.replace(/^(?=.)/gm, "    ");
      area.setSelectionRange(from, end + (back ? rest.length : 0));
      document.execCommand(moved ? "insertText" : "delete", false, moved);
      area.setSelectionRange(lines.includes("\n") ? from : from + moved.length, from + moved.length);
    }
  }

  // A cell.
  function build({ id, source, exercise }, n) {
    const place = document.getElementById(id);
    const input = place.querySelector(".cell_input");
    const printed = [...place.querySelectorAll(".cell_output")].map((each) => each.closest(".below-input") ?? each); // with its fold
    const key = `${book.chapter} ${id}`;
    const link = (href, textContent) => make("a", { href, textContent });
    const where = exercise ? `exercise ${exercise.number}` : `cell ${n + 1}`;
    const named = (textContent) => ({ textContent, ariaLabel: `${textContent}, ${where}` });
    const button = (name, onclick) => make("button", { type: "button", ...named(name), onclick });
    const go = button("Run", () => (busy ? stop(cell) : run(cell)));
    const change = button("Edit", () => edit(source).focus());
    const back = button("Reset", reset);
    const more = button("Hint", hint);
    const note = make("span", { className: "run-note", ariaLive: "polite" });
    const output = make("div", { className: "run-output", ariaLive: "polite" });
    input.append(make("div", { className: "run-bar" }, go, change, back, more, note));
    const helps = make("div", { className: "run-hints", ariaLive: "polite" });
    place.append(output, helps);
    let [area, busy, hints, defined, ran] = [null, false, 0, ""]; // ran: the text of which the output is
    const replaced = []; // what the book shows below the cell, and a run has put something else in its place

    function edit(text) {
      const code = input.querySelector("div.highlight");
      const copy = make("pre", { ariaHidden: "true" });
      const ariaLabel = `Python, ${where}; Shift and Enter run it, Escape and then Tab leave it`;
      area = make("textarea", { value: text, spellcheck: false, autocapitalize: "off", autocomplete: "off", ariaLabel });
      const paint = () => (copy.innerHTML = `${colored(area.value)}\n`);
      area.oninput = () => {
        paint();
        keep(key, area.value === source ? null : { text: area.value, of: hash(source) });
        const stale = !exercise && area.value !== (ran ?? source) ? "you changed this; Run shows what it does now" : "";
        if (!busy) note.textContent = keeps ? stale : LOST;
        back.hidden = false;
      };
      keys(area, () => busy || run(cell));
      paint();
      const dots = /\.\.\.|(?=\n+check\.\w+\()/.exec(text); // where an answer is written: it takes their place
      if (dots) area.setSelectionRange(dots.index, dots.index + dots[0].length);
      code.hidden = change.hidden = true;
      code.after(make("div", { className: "highlight run-editor" }, copy, area));
      return area;
    }

    function reset() {
      (area ?? go).focus();
      area?.select();
      if (area) document.execCommand("insertText", false, source); // which can be undone
      keep(key, null);
      ran = source;
      output.replaceChildren();
      note.textContent = "";
      for (const each of replaced.splice(0)) each.hidden = false;
      back.hidden = true;
    }

    function tell(kind, text, where = output) {
      const last = where.lastElementChild;
      if (kind === "text" && last?.dataset.kind === kind) return last.append(text);
      where.append(make("pre", { textContent: text }));
      where.lastElementChild.dataset.kind = kind;
    }

    function hint() {
      tell("hint", `hint ${hints + 1} of ${exercise.hints.length}: ${exercise.hints[hints]}`, helps);
      more.hidden = ++hints === exercise.hints.length;
      if (!more.hidden) return;
      helps.append(make("p", {}, "A solution stands with ", link(exercise.page, "all exercises")));
      go.focus();
    }

    addEventListener("storage", ({ key: changed }) => {
      const text = kept(key)?.text ?? source;
      if (changed !== `linmodels ${key}` || text === cell.text()) return;
      if (!area) edit(text);
      area.value = text;
      area.oninput();
      note.textContent = "you changed this in another tab";
    });

    const hear = {
      loading: ({ share }) => {
        if (!note.querySelector("progress")) note.replaceChildren(`loading Python (${book.megabytes} MB, once) `, make("progress", { ariaLabel: "loaded" }));
        note.querySelector("progress").value = share;
      },
      stage: ({ text }) => (note.textContent = text),
      defines: ({ text }) => (defined = text),
      error: ({ text, cell: where }) => {
        if (where && [...output.children].some((told) => told.dataset.cell === where && told.textContent.endsWith(text))) return;
        tell("error", text);
        output.lastElementChild.dataset.cell = where ?? "";
        if (where && where !== id)
          output.lastElementChild.prepend(link(`#${where}`, "a cell above"), ", which this one may need, fails:\n");
      },
      missing: ({ faults, pictures }) => {
        tell("error", nowhere(faults, pictures ? "What draws the pictures" : "Python"));
        end(); // the next Run tries again
        current.end();
      },
      verdict: ({ text, ok, name }) => {
        tell(ok ? "right" : "verdict", text);
        if (!ok) return;
        keep("solved", { ...kept("solved"), [name]: new Date().toLocaleDateString("sv") }); // as 2026-01-31
        marks();
        const here = book.cells.findIndex((each) => each.id === id);
        const next = [...book.cells.slice(here + 1), ...book.cells.slice(0, here)].find((each) => each.exercise && !kept("solved")?.[each.exercise.name]);
        const on = next ? link(`#${next.id.replace(/-code$/, "")}`, `exercise ${next.exercise.number}`) : link("../exercises.html", "all exercises");
        output.append(make("p", {}, "Next: ", on));
      },
      markdown: ({ text }) => {
        const [, summary, code] = /^(?:<details><summary>(.*)<\/summary>\s*)?```python\n([^]*?)\n```/.exec(text) ?? [];
        const made = make("pre", { className: "highlight", innerHTML: colored(code ?? text) });
        output.append(summary ? make("details", {}, make("summary", { textContent: summary }), made) : made);
      },
      state: ({ png, alt }) => {
        for (const old of output.querySelectorAll('[data-kind="error"]')) old.remove();
        Object.assign(output.querySelector("figure img") ?? {}, { src: `data:image/png;base64,${png}`, alt });
      },
      picture: ({ png, name, alt, width, caption, sliders }) => {
        const old = document.getElementById(`fig-${name.replaceAll("_", "-")}`);
        const number = /^Figure [\d.]+/.exec(old?.querySelector("figcaption")?.textContent.trim())?.[0] ?? "";
        if (old) old.hidden = !!replaced.push(old);
        const image = make("img", { src: `data:image/png;base64,${png}`, alt, width });
        const set = old?.querySelector("figcaption").cloneNode(true); // its formulas are set
        const plain = set?.cloneNode(true);
        plain?.querySelectorAll(".math").forEach((formula) => formula.remove());
        const words = (text) => text.replace(/\$[^$]*\$|[#¶]|\s/g, "");
        const same = plain && !set.querySelector("mjx-lazy") && words(plain.textContent) === words(`${number} ${caption}`);
        output.append(make("figure", {}, image, same ? set : make("figcaption", { textContent: `${number} ${caption}` })));
        const by = worker;
        let next = null; // where the sliders are now: while a state is drawn, only the last move is kept
        const state = () => [{ name, places: next }, (next = null)][0];
        const move = (places) => {
          if (by !== worker) note.textContent = "Python was stopped: run this cell again, and then move its sliders";
          else if (!next) run(cell, state);
          next = places;
        };
        if (sliders) image.after(slidersFor(sliders, move));
      },
    };

    const cell = {
      id,
      text: () => area?.value ?? source,
      hear: (message) => (hear[message.kind] ?? (({ kind, text }) => tell(kind, text)))(message),
      begin: (again) => {
        [busy, output.ariaBusy] = [true, "true"];
        self.changedByReader ||= cell.text() !== source;
        Object.assign(go, named("Stop"));
        note.textContent = again ? "drawing" : "waiting";
        defined = "";
        if (again) return;
        ran = cell.text();
        output.replaceChildren();
        for (const each of printed) each.hidden = !!replaced.push(each);
        back.hidden = false;
      },
      finish: () => {
        [busy, output.ariaBusy] = [false, "false"];
        Object.assign(go, named("Run"));
        const unasked = exercise && !cell.text().includes(`check.${exercise.name}(`) && ` without its last line, which asks check.${exercise.name}`;
        const bare = cell.text().trim() ? "a comment: take the # away" : "empty";
        const comments = !cell.text().replace(/^ *#.*/gm, "").trim() && `, for it is ${bare}`;
        const nothing = defined && !unasked ? `; it defines ${defined}` : `, and shows nothing${unasked || comments || ""}`;
        note.textContent = output.childElementCount ? "" : `it ran${nothing}`;
        if (area && !keeps) note.textContent = LOST;
      },
    };

    const mine = kept(key);
    if (mine || exercise) edit(mine?.text ?? source);
    [back.hidden, more.hidden] = [!mine, !exercise];
    if (mine) for (const each of printed) each.hidden = !!replaced.push(each); // it is not of what stands there now
    const changed = "the book's cell has changed since you wrote this; Reset shows it";
    const written = exercise ? "you wrote this; Run shows its verdict again" : "you wrote this; Run shows what it does";
    if (mine) note.textContent = mine.of === hash(source) ? written : changed;
    return cell;
  }

  const shown = new Map(book.cells.map((cell, n) => [cell.id, build(cell, n)]));
})();
