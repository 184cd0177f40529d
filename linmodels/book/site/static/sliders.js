// The sliders of a live picture: a range for each, with its label and its position; `moved` hears the places of all.
self.slidersFor = (sliders, moved) => {
  const box = make("div", { className: "sliders" });
  const ranges = sliders.map(({ label, told, start }) => {
    const range = make("input", { type: "range", max: told.length - 1, value: start, autocomplete: "off", ariaLabel: label });
    const output = make("output");
    const tell = () => (range.ariaValueText = output.textContent = told[range.value]);
    range.oninput = () => {
      tell();
      moved(ranges.map((each) => each.valueAsNumber));
    };
    tell();
    box.append(make("label", {}, label, range, output));
    return range;
  });
  return box;
};

// Of each live cell the site has drawn all states; without this script, and on paper, the one at the start is seen.
addEventListener("DOMContentLoaded", () => {
  for (const [name, { base, sliders, alts }] of Object.entries(self.LIVE ?? {})) {
    const figure = document.getElementById(`fig-${name.replaceAll("_", "-")}`);
    const image = figure.querySelector("img");
    const file = (places) => `${base}${places.join("-")}.png`;
    const start = { src: image.src, alt: image.alt };
    let seen = start;
    addEventListener("beforeprint", () => Object.assign(image, start));
    addEventListener("afterprint", () => Object.assign(image, seen));
    const move = (places) => {
      seen = { src: file(places), alt: alts[places.join("-")] };
      Object.assign(image, seen);
      if (self.changedByReader && !figure.querySelector("small"))
        figure.querySelector(".sliders").append(make("small", { textContent: "These pictures are the book's. Run the cell of this slider to draw yours." }));
      if (image.parentElement.href) image.parentElement.href = image.src; // the picture is a link to its file
      const near = places.flatMap((place, k) => [place - 1, place + 1].map((next) => Object.assign([...places], { [k]: next })));
      for (const each of near) if (alts[each.join("-")]) new Image().src = file(each);
    };
    figure.querySelector("figcaption").before(slidersFor(sliders, move));
  }
});
