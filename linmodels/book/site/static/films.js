// A film stands in a page as its sheet, the frames side by side: that is what print, an e-book and a browser without
// JavaScript show. Here a player takes the place of each sheet; its frames lie in _static, one by one.
const PACE = 400; // milliseconds for a frame: time to look
const still = matchMedia("(prefers-reduced-motion: reduce)");

function play(sheet) {
  const last = Number(sheet.dataset.frames);
  const frames = Array.from({ length: last }, (_, k) =>
    sheet.src.replace("/_images/", "/_static/").replace("_sheet.png", `_${k + 1}.png`),
  );
  const picture = make("img", { alt: sheet.alt });
  const button = make("button", { type: "button", onclick: () => (timer ? stop() : start()) });
  const back = make("button", { type: "button", textContent: "Back", onclick: () => go(at - 1) });
  const next = make("button", { type: "button", textContent: "Next", onclick: () => go(at + 1) });
  const range = make("input", { type: "range", min: 1, max: last, ariaLabel: "frame" });
  const told = make("output");
  const bar = make("div", {}, button, back, next, range, told);
  const number = /^Figure [\d.]+\d/.exec(sheet.closest("figure")?.querySelector("figcaption")?.textContent.trim())?.[0];
  const box = make("div", { className: "film", role: "group", ariaLabel: `film ${number ?? ""}`.trim() }, picture, bar);
  let at, timer;

  function show(frame) {
    at = Math.min(Math.max(frame, 1), last);
    picture.srcset = `${frames[at - 1]} 1.3x`; // drawn with 130 pixels for an inch
    range.value = at;
    range.ariaValueText = told.textContent = `frame ${at} of ${last}`;
  }
  function stop() {
    timer = clearInterval(timer);
    [button.textContent, told.ariaLive] = ["Play", "polite"];
  }
  function start() {
    [button.textContent, told.ariaLive] = ["Pause", "off"]; // nobody wants to hear all the numbers
    if (at === last) show(1);
    timer = setInterval(() => (at < last ? show(at + 1) : stop()), PACE);
  }
  function go(frame) {
    stop();
    show(frame);
  }

  range.addEventListener("input", () => go(range.valueAsNumber));
  range.addEventListener("pointerdown", stop); // where the frame is already, there is no input
  box.addEventListener("keydown", (key) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key.key];
    if (step && key.target !== range) go(at + step); // the range moves by itself
  });
  const seen = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      frames.forEach((file) => (new Image().src = file)); // so that none comes late
      if (!still.matches) start();
    },
    { threshold: 0.6 },
  );
  for (const kind of ["pointerdown", "keydown"]) box.addEventListener(kind, () => seen.disconnect()); // the reader was faster

  go(last); // where nothing moves, the frame that says most
  const place = sheet.closest("a") ?? sheet; // a link to its file
  place.classList.add("sheet");
  place.before(box);
  seen.observe(picture);
}

document.querySelectorAll("img[data-frames]").forEach(play);
