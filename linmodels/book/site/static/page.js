// A chapter's page that answers: its cells can be changed and run here, by Python in a worker of the page.
// What a cell needs, makes and shows is decided in Python: session.py. Nothing is fetched before the first Run.
(() => {
  const make = (tag, options = {}, ...inside) => {
    const made = Object.assign(document.createElement(tag), options);
    made.append(...inside);
    return made;
  };

  // What the reader wrote, kept in the browser under chapter and cell.

  const store = {
    read: (key) => {
      try {
        return JSON.parse(localStorage.getItem(`linmodels ${key}`));
      } catch {
        return null; // a browser that keeps nothing
      }
    },
    write: (key, value) => {
      try {
        if (value === null) localStorage.removeItem(`linmodels ${key}`);
        else localStorage.setItem(`linmodels ${key}`, JSON.stringify(value));
      } catch {}
    },
  };
  const hash = (text) => [...text].reduce((h, sign) => (h * 31 + sign.codePointAt(0)) | 0, 7);

  // What is solved, wherever a page names an exercise; on the page of all of them also how many, and the next one.

  function marks() {
    const solved = store.read("solved") ?? {};
    const named = [...document.querySelectorAll("[data-exercise]")];
    for (const mark of named) {
      const day = solved[mark.dataset.exercise];
      mark.textContent = day ? `✓ solved on ${day} ` : "";
    }
    const sum = document.getElementById("solved");
    if (!sum) return;
    const open = named.filter((mark) => !solved[mark.dataset.exercise]);
    sum.textContent = `This browser has solved ${named.length - open.length} of ${named.length}. `;
    const next = open[0]?.closest("p")?.querySelector("a");
    if (next) sum.append("Next: ", next.cloneNode(true));
  }
  marks();

  const found = document.getElementById("cells");
  if (!found) return;
  const book = JSON.parse(found.textContent);

  // The worker: Python, the library, and one session.

  function work() {
    let python, door, pictures;
    const say = (kind, more) => postMessage({ kind, ...more });

    function counted(total) {
      const fetched = self.fetch;
      let seen = 0;
      self.fetch = async (...asked) => {
        const answer = await fetched(...asked);
        if (!answer.ok || !answer.body) return answer;
        const count = new TransformStream({
          transform(chunk, on) {
            seen += chunk.length;
            say("loading", { share: Math.min(1, seen / total) });
            on.enqueue(chunk);
          },
        });
        const { status, statusText, headers } = answer;
        return new Response(answer.body.pipeThrough(count), { status, statusText, headers });
      };
      return fetched;
    }

    async function load({ addresses, total, library }) {
      const fetched = counted(total);
      const silent = { messageCallback() {}, errorCallback() {} };
      const faults = [];
      for (const indexURL of addresses) {
        try {
          const lock = await fetched(`${indexURL}pyodide-lock.json`, { signal: AbortSignal.timeout(20000) });
          if (!lock.ok) throw Error(`it answers ${lock.status}`);
          importScripts(`${indexURL}pyodide.js`);
          python = await loadPyodide({ indexURL, env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
          await python.loadPackage("numpy", silent);
          python.unpackArchive(library, "zip", { extractDir: "/book" });
          python.runPython("import sys; sys.path.insert(0, '/book'); import numpy");
          door = python.pyimport("linmodels.book.site.session").Door((text) => postMessage(JSON.parse(text)));
          return say("ready");
        } catch (problem) {
          faults.push(`${indexURL}: ${problem.message}`);
        }
      }
      say("unreachable", { faults });
    }

    async function run({ cells, id }) {
      const { order, draws } = JSON.parse(door.plan(cells, id));
      if (draws && !pictures) {
        say("stage", { text: "loading what draws the pictures (8 MB, once)" });
        await python.loadPackage("matplotlib", { messageCallback() {}, errorCallback() {} });
        pictures = true;
      }
      for (const [n, k] of order.entries()) {
        if (order.length > 1) say("stage", { text: `running cell ${n + 1} of ${order.length}, from the top of the page` });
        if (!door.run(k, n < order.length - 1)) break;
      }
      say("done");
    }

    onmessage = ({ data }) =>
      ({ load, run })[data.ask](data).catch((problem) => {
        say("error", { text: String(problem.message ?? problem) });
        say("done");
      });
  }

  let worker = null;
  let ready = null; // a promise: Python is there, or why not
  let current = null; // the cell that runs, and what to do at its end

  function start() {
    const file = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
    const started = (worker = new Worker(file));
    ready = new Promise((resolve) => {
      worker.onmessage = ({ data }) => {
        if (started !== worker) return; // it was stopped
        if (data.kind === "ready" || data.kind === "unreachable") resolve(data);
        else current?.cell.hear(data);
        if (data.kind === "done") current?.end();
      };
      worker.onerror = (problem) => resolve({ kind: "unreachable", faults: [problem.message] });
    });
    library().then((bytes) => {
      const addresses = book.addresses.map((address) => new URL(address, location.href).href);
      started.postMessage({ ask: "load", addresses, total: book.bytes, library: bytes });
    });
  }

  let packed = null;
  function library() {
    packed ??= new Promise((resolve, reject) => {
      const script = make("script", { src: book.library, onload: resolve, onerror: reject });
      document.head.append(script); // a page from a folder may load a script, and may read no other file
    });
    return packed.then(() => Uint8Array.from(atob(self.LINMODELS), (sign) => sign.charCodeAt(0)).buffer);
  }

  let waiting = Promise.resolve();
  let turn = 0;
  function run(cell) {
    const mine = turn;
    cell.begin();
    waiting = waiting.then(async () => {
      if (mine !== turn) return cell.finish("");
      await new Promise(async (end) => {
        current = { cell, end };
        if (!worker) start();
        const there = await ready;
        if (mine !== turn) return end();
        if (there.kind === "unreachable") {
          cell.hear({ kind: "error", text: nowhere(there.faults) });
          worker = null;
          return end();
        }
        cell.hear({ kind: "stage", text: "running" });
        const cells = JSON.stringify(book.cells.map(({ id }) => ({ id, source: cells_by_id.get(id).text() })));
        worker.postMessage({ ask: "run", cells, id: cell.id });
      });
      current = null;
      cell.finish("");
    });
  }

  function stop() {
    turn += 1;
    worker?.terminate();
    worker = null;
    current?.cell.hear({ kind: "error", text: "Stopped. The next Run starts Python again, and runs what it needs." });
    current?.end();
  }

  const nowhere = (faults) =>
    [
      "Python could not be loaded. Tried were:",
      ...faults.map((fault) => `  ${fault}`),
      location.protocol === "file:"
        ? "This page was opened from a folder, from which it may read nothing but itself."
        : "Is there a connection to the network?",
      "Two ways on:",
      "  build the site with Python in it (`linmodels site --python FOLDER`), and serve its folder with",
      "  `python -m http.server`;",
      "  or install the book, as its front page says, and run the chapter in JupyterLab.",
    ].join("\n");

  // A cell.

  const KEYWORDS =
    "and as assert break class continue def del elif else except False finally for from global if import in is " +
    "lambda None nonlocal not or pass raise return True try while with yield";
  const TOKENS = new RegExp(
    [
      "(#[^\\n]*)",
      "((?:\\b[rbfRBF]{1,2})?(?:\"\"\"[^]*?(?:\"\"\"|$)|'''[^]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
      `\\b(${KEYWORDS.replaceAll(" ", "|")})\\b`,
      "\\b(\\d[\\w.]*)",
    ].join("|"),
    "g",
  );
  const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
  function colored(text) {
    let html = "";
    let at = 0;
    for (const match of text.matchAll(TOKENS)) {
      const kind = ["c1", "s2", "k", "mi"][match.slice(1).findIndex((group) => group !== undefined)];
      html += `${escaped(text.slice(at, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
      at = match.index + match[0].length;
    }
    return html + escaped(text.slice(at));
  }

  function write(area, text) {
    if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  }

  function keys(area, go) {
    let leaving = false; // Escape, and then Tab moves on
    area.addEventListener("keydown", (press) => {
      const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
      if (press.key === "Enter" && (press.shiftKey || press.ctrlKey || press.metaKey)) {
        press.preventDefault();
        go();
      } else if (press.key === "Tab" && !leaving && !press.ctrlKey && !press.altKey) {
        press.preventDefault();
        if (!press.shiftKey) write(area, " ".repeat(4 - (line.length % 4)));
        else if (/^ +$/.test(line)) {
          area.selectionStart -= ((line.length + 3) % 4) + 1;
          document.execCommand("delete");
        }
      } else if (press.key === "Enter" && !press.isComposing) {
        press.preventDefault();
        write(area, `\n${/^ */.exec(line)[0]}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
      }
      if (press.key !== "Shift") leaving = press.key === "Escape";
    });
  }

  function build({ id, source, exercise }) {
    const place = document.getElementById(id);
    const shown = place.querySelector(".cell_input");
    const outputs = [...place.querySelectorAll(".cell_output")];
    const key = `${book.chapter} ${id}`;
    const button = (name, onclick) => make("button", { type: "button", textContent: name, onclick });
    const go = button("Run", () => (busy ? stop() : run(cell)));
    const change = button("Edit", () => edit(cell.text(), true));
    const back = button("Reset", reset);
    const more = button("Hint", hint);
    const note = make("span", { className: "run-note" });
    const bar = make("div", { className: "run-bar" }, go, change, back, more, note);
    const output = make("div", { className: "run-output" });
    output.setAttribute("aria-live", "polite");
    let area = null;
    let busy = false;
    let hidden = [];
    back.hidden = true;
    more.hidden = !exercise;
    shown.append(bar);
    place.append(output);

    function edit(text, focus) {
      if (!area) {
        const code = shown.querySelector("div.highlight");
        const copy = make("pre", { ariaHidden: "true" });
        area = make("textarea", { spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "soft" });
        area.setAttribute("aria-label", "Python; Shift and Enter run it, Escape and then Tab leave it");
        const box = make("div", { className: "highlight run-editor" }, copy, area);
        code.classList.add("run-replaced");
        code.after(box);
        change.hidden = true;
        area.paint = () => (copy.innerHTML = `${colored(area.value)}\n`);
        area.oninput = () => {
          area.paint();
          const changed = area.value !== source;
          store.write(key, changed ? { text: area.value, of: hash(source) } : null);
          back.hidden = !changed && !output.childElementCount;
        };
        keys(area, () => busy || run(cell));
      }
      area.value = text;
      area.paint();
      if (focus) area.focus();
    }

    function reset() {
      store.write(key, null);
      if (area && exercise) area.select(), write(area, source); // which can be undone
      else if (area) {
        shown.querySelector(".run-editor").remove();
        shown.querySelector(".run-replaced").classList.remove("run-replaced");
        area = null;
        change.hidden = false;
      }
      output.replaceChildren();
      note.textContent = "";
      for (const each of [...outputs, ...hidden]) each.hidden = false;
      hidden = [];
      back.hidden = true;
      go.focus();
    }

    function text(kind, words) {
      const last = output.lastElementChild;
      if (kind === "text" && last?.dataset.kind === "text") return last.append(words);
      const made = make("pre", { textContent: words });
      made.dataset.kind = kind;
      output.append(made);
    }

    const hear = {
      loading: ({ share }) => {
        if (!note.querySelector("progress")) {
          note.textContent = `loading Python (${book.megabytes} MB, once) `;
          note.append(make("progress"));
        }
        note.querySelector("progress").value = share;
      },
      stage: ({ text }) => (note.textContent = text),
      text: ({ text: words }) => text("text", words),
      value: ({ text: words }) => text("value", words),
      error: ({ text: words, cell: where }) => {
        text("error", words);
        if (where && where !== id) {
          const link = make("a", { href: `#${where}`, textContent: "a cell above" });
          output.lastElementChild.prepend(link, ", which this one needs, fails:\n");
        }
      },
      verdict: ({ text: words, ok, name }) => {
        text(ok ? "right" : "verdict", words);
        if (!ok) return;
        store.write("solved", { ...store.read("solved"), [name]: new Date().toISOString().slice(0, 10) });
        marks();
        const left = book.cells.filter((each) => each.exercise && !store.read("solved")[each.exercise.name]);
        const next = left.find((each) => book.cells.indexOf(each) > book.cells.findIndex((each) => each.id === id));
        const [href, textContent] = next ? [`#${next.id}`, `exercise ${next.exercise.number}`] : [exercise.page, "all exercises"];
        output.append(make("p", {}, "Next: ", make("a", { href, textContent })));
      },
      markdown: ({ text: words }) => {
        const [, summary, code] = /^(?:<details><summary>(.*)<\/summary>\s*)?```python\n([^]*?)\n```/.exec(words) ?? [];
        const made = make("pre", { className: "highlight", innerHTML: colored(code ?? words) });
        output.append(summary ? make("details", {}, make("summary", { textContent: summary }), made) : made);
      },
      picture: ({ png, name, alt, width, caption }) => {
        const old = document.getElementById(`fig-${name.replaceAll("_", "-")}`);
        const number = /^Figure [\d.]+/.exec(old?.querySelector("figcaption")?.textContent.trim() ?? "Figure ")?.[0] ?? "";
        if (old) hidden.push(old);
        if (old) old.hidden = true;
        const image = make("img", { src: `data:image/png;base64,${png}`, alt, width });
        output.append(make("figure", {}, image, make("figcaption", { textContent: `${number} ${caption}` })));
      },
    };

    let told = 0;
    function hint() {
      const all = exercise.hints;
      told += 1;
      if (told <= all.length) text("hint", `hint ${told} of ${all.length}: ${all[told - 1]}`);
      if (told < all.length) return;
      output.append(make("p", {}, "A solution stands ", make("a", { href: exercise.page, textContent: "with all exercises" })));
      more.hidden = true;
    }

    const cell = {
      id,
      text: () => area?.value ?? source,
      begin: () => {
        busy = true;
        go.textContent = "Stop";
        note.textContent = "waiting";
        output.replaceChildren();
        output.setAttribute("aria-busy", "true");
        for (const each of outputs) each.hidden = true;
        back.hidden = false;
      },
      hear: (message) => hear[message.kind]?.(message),
      finish: () => {
        busy = false;
        go.textContent = "Run";
        note.textContent = output.childElementCount ? "" : "it ran, and shows nothing";
        output.setAttribute("aria-busy", "false");
      },
    };

    const kept = store.read(key);
    if (kept || exercise) edit(kept?.text ?? source, false);
    if (kept) back.hidden = false;
    if (kept && kept.of !== hash(source)) note.textContent = "the book's cell has changed since you wrote this; Reset shows it";
    return cell;
  }

  const cells_by_id = new Map(book.cells.map((cell) => [cell.id, build(cell)]));
})();
