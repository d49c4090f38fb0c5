"use strict";
// Pictures of sets: any plane of them, at any place of their other dimensions.
(() => {
  const { range, rowsOf, begins } = constraints;
  const floor = (a, b) => Math.floor(a / b);
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a7a7a", "#f0e442"];
  const DARK_TEXT = new Set([3, 4, 5, 7]);
  const MOST_ROWS = 4096, MOST_BANDS = 24, TOP = 26, LETTER = 7.3;
  const letter = (k) => String.fromCharCode(65 + (k % 26));
  const colour = (k) => COLOURS[k % COLOURS.length];
  const span = (from, to) => (from === to ? `${from}` : `${from}..${to}`);
  // Where numbers are drawn: to scale, or, if that is too fine, in bands that are wide enough to be read.
  function scale(bands, room) {
    const first = bands[0], count = bands[bands.length - 1] - first;
    const cell = Math.min(24, room / count);
    const isToScale = cell >= 12 || bands.length - 1 > MOST_BANDS;
    const ends = [0];
    if (!isToScale) {
      const least = Math.min(20, room / (bands.length - 1)), rest = Math.max(0, room - least * (bands.length - 1));
      for (let k = 1; k < bands.length; k++) ends.push(ends[k - 1] + least + rest * ((bands[k] - bands[k - 1]) / count));
    } else for (let k = 1; k < bands.length; k++) ends.push((bands[k] - first) * cell);
    const place = (t) => {
      let k = 0;
      while (k < bands.length - 2 && t >= bands[k + 1]) k++;
      return ends[k] + (ends[k + 1] - ends[k]) * ((t - bands[k]) / (bands[k + 1] - bands[k]));
    };
    return { place, isToScale, cell, length: ends[ends.length - 1] };
  }

  function middle(axis, from, to) {
    if (axis.isToScale && axis.cell >= 8) from = to = floor(from + to, 2);
    return (axis.place(from) + axis.place(to + 1)) / 2;
  }

  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (key in made && key !== "list" && key !== "form") made[key] = value; else made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const draw = (name, attributes = {}, text = "") => {
    const made = document.createElementNS(document.querySelector("svg.ns").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };

  let pictures = 0;
  class Picture {
    constructor(place) {
      this.place = place;
      this.sets = JSON.parse(place.querySelector("script").textContent);
      this.id = "picture" + ++pictures;
      const { dims, params, values, chosen } = this.sets;
      this.x = [...values, ...dims.map((_, k) => this.first(k, values))];
      const free = dims.map((_, k) => k).slice(chosen);
      const inner = [...free.filter((k) => this.size(k) === 1), ...free.filter((k) => this.size(k) > 1)].slice(-2).sort((a, b) => a - b);
      this.right = inner[inner.length - 1];
      this.down = inner.length > 1 ? inner[0] : null;
      if (this.down !== null && this.size(this.down) > MOST_ROWS && this.size(this.right) <= MOST_ROWS) [this.down, this.right] = [this.right, this.down];
      this.free = free;
      this.centre();
      this.build();
      this.show();
    }
    first(k, params) { return range(this.sets, k, params)[0]; }
    params() { return this.x.slice(0, this.sets.params.length); }
    range(k) { return range(this.sets, k, this.params()); }
    size(k) { const [low, high] = this.range(k); return high - low + 1; }
    // An element in the middle reaches what most do.
    centre() {
      const n = this.sets.params.length;
      for (let k = 0; k < this.sets.chosen; k++) { const [low, high] = this.range(k); this.x[n + k] = floor(low + high, 2); }
      this.follow();
    }
    // A slice that has something in it: the first elements of the first part that is not empty.
    follow() {
      const n = this.sets.params.length, others = this.free.filter((k) => k !== this.down && k !== this.right);
      if (!this.sets.chosen || !others.length) return;
      for (const k of others) {
        const [low, high] = this.range(k);
        for (let t = low; t <= Math.min(high, low + 512); t++) {
          this.x[n + k] = t;
          if (this.layerRows().some((row) => row.runs.some((runs) => runs.length))) return;
        }
        this.x[n + k] = low;
      }
    }
    layerRows() {
      const rows = this.down === null ? [0, 0] : this.range(this.down);
      if (rows[1] - rows[0] >= MOST_ROWS) return [];
      return rowsOf(this.sets, this.x, this.down, this.right, rows, this.range(this.right));
    }
    build() {
      const { dims, params, chosen } = this.sets;
      this.controls = make("div", { className: "controls" });
      if (this.free.length > 2) {
        const plane = make("div", { className: "planes" });
        for (const [name, key] of [["Down", "down"], ["Right", "right"]]) {
          const select = make("select", {}, ...this.free.map((k) => make("option", { value: k, selected: this[key] === k }, dims[k])));
          select.addEventListener("change", () => {
            const other = key === "down" ? "right" : "down", value = Number(select.value);
            if (this[other] === value) this[other] = this[key];
            this[key] = value;
            this.controls.replaceWith(this.build());
            this.show();
          });
          plane.append(make("label", {}, name + " ", select));
        }
        this.controls.append(plane);
      }
      params.forEach((name, k) => this.slider(name, k, () => [0, Math.max(64, this.x[k])], true));
      dims.forEach((name, k) => {
        if (k === this.down || k === this.right || this.size(k) === 1 && !params.length) return;
        this.slider((k < chosen ? "element " : "") + name, params.length + k, () => this.range(k), false);
      });
      return this.controls;
    }
    slider(name, at, range, isOpen) {
      const id = `${this.id}-${at}`, [low, high] = range();
      const bar = make("input", { type: "range", id, min: low, max: high, step: 1, value: this.x[at] });
      const number = make("input", { type: "number", min: low, step: 1, value: this.x[at], "aria-label": `${name}, as a number` });
      if (!isOpen) number.max = high;
      const set = (text) => {
        const value = Math.round(Number(text)), [first, last] = range();
        if (text === "" || !Number.isFinite(value)) return;
        this.x[at] = Math.max(first, isOpen ? value : Math.min(last, value));
        bar.max = range()[1];
        bar.value = number.value = this.x[at];
        if (isOpen) { this.settle(); this.controls.replaceWith(this.build()); this.place.querySelector("#" + CSS.escape(id))?.focus(); }
        this.show();
      };
      bar.addEventListener(isOpen ? "change" : "input", () => set(bar.value));
      number.addEventListener("change", () => set(number.value));
      this.controls.append(make("label", { className: "dim", htmlFor: id }, name), bar, number);
    }
    // Dimensions stay where they are, as far as they still reach.
    settle() {
      const n = this.sets.params.length;
      this.sets.dims.forEach((_, k) => { const [low, high] = this.range(k); this.x[n + k] = Math.max(low, Math.min(high, this.x[n + k])); });
    }
    show() {
      const columns = this.range(this.right), rows = this.down === null ? [0, 0] : this.range(this.down);
      const shown = this.drawing(rows, columns);
      this.place.replaceChildren(this.place.querySelector("script"), this.controls, ...shown);
    }
    drawing(rows, columns) {
      if (rows[1] < rows[0] || columns[1] < columns[0]) return [make("p", {}, "There is no element for these numbers.")];
      if (rows[1] - rows[0] >= MOST_ROWS) return [make("p", {}, `There are ${rows[1] - rows[0] + 1} rows, more than the ${MOST_ROWS} that are drawn: choose another plane.`)];
      const bands = this.layerRows();
      const { dims } = this.sets, width = Math.max(240, Math.min(560, this.place.clientWidth || 480));
      const heading = this.down === null ? dims[this.right] : `${dims[this.down]} \\ ${dims[this.right]}`;
      const longest = Math.max(heading.length, ...bands.map((band) => (this.down === null ? "" : span(band.from, band.to)).length));
      this.left = Math.ceil(longest * LETTER) + 12;
      const across = scale(begins(bands, columns), width - this.left - 4);
      const along = scale([...bands.map((band) => band.from), rows[1] + 1], Math.min(340, width * 0.8));
      const svg = draw("svg", { viewBox: `0 0 ${width} ${Math.ceil(along.length + TOP + 4)}`, role: "img", "aria-label": this.text(), style: `max-width:${width}px` });
      const g = draw("g", { transform: `translate(${this.left} ${TOP})` });
      g.append(draw("text", { class: "axis", x: -8, y: -8, "text-anchor": "end" }, heading));
      const box = (a, b, y) => `M${across.place(a).toFixed(1)} ${along.place(y.from).toFixed(1)}H${across.place(b + 1).toFixed(1)}V${along.place(y.to + 1).toFixed(1)}H${across.place(a).toFixed(1)}Z`;
      const path = (runs) => bands.flatMap((band) => runs(band).map(([a, b]) => box(a, b, band))).join("");
      g.append(draw("path", { class: "ground", d: path((band) => band.inside) }));
      const present = this.sets.layers.map((layer, k) => {
        const d = path((band) => band.runs[k]);
        if (d) g.append(draw("path", { d, fill: colour(k) }));
        return d !== "";
      });
      this.lines(g, bands, across, along, columns, rows);
      this.letters(g, bands, across, along);
      this.labels(g, bands, across, along, rows, columns);
      svg.append(g);
      const readout = make("output", {}, "");
      svg.addEventListener("pointermove", (event) => { readout.textContent = this.under(svg, event, bands, across, along); });
      svg.addEventListener("pointerleave", () => { readout.textContent = ""; });
      const legend = make("ul", {}, ...this.sets.layers.map((layer, k) => make("li", { className: present[k] ? "" : "gone" },
        make("b", { style: `background:${colour(k)};color:${DARK_TEXT.has(k % 8) ? "#000" : "#fff"}` }, letter(k)),
        make("span", {}, layer.text + (present[k] ? "" : " (not in this slice)")))));
      const scaled = across.isToScale && along.isToScale ? [] : [make("p", { className: "note" }, "Rows and columns that are alike are drawn as one, not to scale.")];
      return [svg, readout, legend, ...scaled];
    }
    text() {
      const { dims, params } = this.sets, n = params.length;
      const others = [...params.map((name, k) => `${name} = ${this.x[k]}`), ...dims.flatMap((name, k) => k === this.down || k === this.right ? [] : [`${name} = ${this.x[n + k]}`])];
      const plane = this.down === null ? dims[this.right] : `${dims[this.down]} down, ${dims[this.right]} to the right`;
      return plane + (others.length ? `, at ${others.join(", ")}` : "");
    }
    lines(g, bands, across, along, columns, rows) {
      let d = "";
      if (across.isToScale && across.cell >= 8) for (let t = columns[0] + 1; t <= columns[1]; t++) d += `M${across.place(t).toFixed(1)} 0V${along.length.toFixed(1)}`;
      if (along.isToScale && along.cell >= 8) for (let t = rows[0] + 1; t <= rows[1]; t++) d += `M0 ${along.place(t).toFixed(1)}H${across.length.toFixed(1)}`;
      if (!across.isToScale) for (const t of begins(bands, columns).slice(1, -1)) d += `M${across.place(t).toFixed(1)} 0V${along.length.toFixed(1)}`;
      if (!along.isToScale) for (const band of bands.slice(1)) d += `M0 ${along.place(band.from).toFixed(1)}H${across.length.toFixed(1)}`;
      if (d) g.append(draw("path", { class: "grid", d }));
    }
    // Letters are in the middle of what is drawn as one, and of a cell where there are cells.
    letters(g, bands, across, along) {
      for (const band of bands) {
        const top = along.place(band.from), high = along.place(band.to + 1) - top;
        if (high < 13) continue;
        band.runs.forEach((runs, k) => {
          for (const [a, b] of runs) {
            const wide = across.place(b + 1) - across.place(a);
            const x = middle(across, a, b), y = middle(along, band.from, band.to);
            if (wide >= 12) g.append(draw("text", { class: "letter", x: x.toFixed(1), y: y.toFixed(1), style: `fill:${DARK_TEXT.has(k % 8) ? "#000" : "#fff"}` }, letter(k)));
          }
        });
      }
    }
    labels(g, bands, across, along, rows, columns) {
      const spans = (bounds, axis) => {
        if (!axis.isToScale) return bounds.slice(0, -1).map((from, k) => [from, bounds[k + 1] - 1]);
        const step = Math.max(1, Math.ceil(34 / axis.cell)), first = bounds[0], last = bounds[bounds.length - 1] - 1;
        const found = [];
        for (let t = first; t <= last; t += step) found.push([t, t]);
        return found;
      };
      let free = -Infinity;
      for (const [from, to] of spans(begins(bands, columns), across)) {
        const middle = (across.place(from) + across.place(to + 1)) / 2, text = span(from, to), half = text.length * 3.7;
        if (middle - half < free) continue;
        free = middle + half + 5;
        g.append(draw("text", { x: middle.toFixed(1), y: -8, "text-anchor": "middle" }, text));
      }
      if (this.down === null) return;
      free = -Infinity;
      const rowSpans = along.isToScale && along.cell < 34 ? spans([rows[0], rows[1] + 1], { ...along, cell: along.cell * 2 }) : spans([...bands.map((band) => band.from), rows[1] + 1], along);
      for (const [from, to] of rowSpans) {
        const middle = (along.place(from) + along.place(to + 1)) / 2;
        if (middle - 6 < free) continue;
        free = middle + 6;
        g.append(draw("text", { x: -8, y: (middle + 4).toFixed(1), "text-anchor": "end" }, span(from, to)));
      }
    }
    // What is under the pointer: its coordinates, and its sets.
    under(svg, event, bands, across, along) {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const x = at.x - this.left, y = at.y - TOP;
      const band = bands.find((each) => y >= along.place(each.from) && y < along.place(each.to + 1));
      if (!band || x < 0 || x >= across.length) return "";
      const columns = begins(bands, this.range(this.right));
      let low = columns[0], high = columns[columns.length - 1] - 1;
      while (low < high) { const middle = Math.ceil((low + high) / 2); if (across.place(middle) <= x) low = middle; else high = middle - 1; }
      const { dims } = this.sets;
      const row = this.down === null ? [] : [`${dims[this.down]} = ${band.from === band.to ? band.from : Math.min(band.to, band.from + Math.floor((band.to - band.from + 1) * (y - along.place(band.from)) / (along.place(band.to + 1) - along.place(band.from))))}`];
      const sets = this.sets.layers.flatMap((layer, k) => (band.runs[k].some(([a, b]) => a <= low && low <= b) ? [letter(k) + " " + layer.text.split(":")[0]] : []));
      return `${[...row, `${dims[this.right]} = ${low}`].join(", ")}: ${sets.join(", ") || "none"}`;
    }
  }

  const wanted = new IntersectionObserver((entries) => {
    for (const each of entries) if (each.isIntersecting) { wanted.unobserve(each.target); new Picture(each.target); }
  }, { rootMargin: "300px" });
  const places = document.querySelectorAll(".sets");
  places.forEach((each) => wanted.observe(each));
  addEventListener("beforeprint", () => places.forEach((each) => { if (!each.querySelector("svg")) { wanted.unobserve(each); new Picture(each); } }));
})();
