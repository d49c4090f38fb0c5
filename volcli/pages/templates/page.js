"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // What a reader has chosen; a browser may keep nothing for files.
  const kept = {
    get(name) { try { return localStorage.getItem("volcli." + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem("volcli." + name, value); } catch { /* not kept */ } },
  };

  // -- light and dark ------------------------------------------------------------------------------
  const root = document.documentElement, themeButton = one("#theme");
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const setTheme = (theme) => {
    if (theme) root.dataset.theme = theme;
    themeButton.textContent = isDark() ? "Light" : "Dark";
  };
  const toggleTheme = () => { setTheme(isDark() ? "light" : "dark"); kept.set("theme", root.dataset.theme); };
  setTheme(kept.get("theme"));
  themeButton.addEventListener("click", toggleTheme);
  one(".tools").hidden = false;

  // -- contents ------------------------------------------------------------------------------------
  const contents = one(".contents"), wide = matchMedia("(min-width: 1000px)");
  const showContents = () => { if (contents) contents.open = wide.matches; };
  wide.addEventListener("change", showContents);
  showContents();

  // -- places --------------------------------------------------------------------------------------
  const openAround = (element) => {
    for (let each = element; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  };
  // The element that #NAME means: one with that id, or the line LINE of FILE in `FILE:LINE`.
  const placed = (name) => {
    const found = document.getElementById(name) || document.getElementById(decodeURIComponent(name));
    const split = found ? null : /^(.*):(\d+)$/.exec(name);
    if (!split) return found;
    for (const list of all(".source")) {
      const row = Number(split[2]) - Number(list.dataset.first);
      if (list.closest("[data-file]")?.dataset.file === split[1] && row >= 0 && row < list.children.length) return list.children[row];
    }
    return null;
  };
  const go = () => {
    all(".target").forEach((each) => each.classList.remove("target"));
    const name = location.hash.slice(1);
    const found = name ? placed(name) : null;
    if (!found) return;
    openAround(found);
    const isLine = found.tagName === "LI";
    if (isLine) {
      found.classList.add("target");
      found.parentElement.style.contentVisibility = "visible"; // of what is not laid out, the height is a guess
    }
    const reveal = () => found.scrollIntoView({ block: isLine ? "center" : "start" });
    reveal();
    requestAnimationFrame(() => requestAnimationFrame(reveal)); // what comes into view gets its height
  };
  addEventListener("hashchange", go);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link?.dataset.search) search(link.dataset.search);
    if (link && link.getAttribute("href") === location.hash) go();
    const line = event.target.closest(".source > li");
    if (line && event.target === line) { // its number
      const list = line.parentElement;
      location.hash = list.closest("[data-file]").dataset.file + ":" + (Number(list.dataset.first) + [...list.children].indexOf(line));
    }
  });

  // -- search --------------------------------------------------------------------------------------
  const box = one("#search"), matches = one("#matches");
  const parts = all(".part"), findings = all(".finding");
  const texts = new Map();
  const text = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  function find(query) {
    query = query.trim().toLowerCase();
    all(".hit").forEach((each) => each.classList.remove("hit"));
    const has = (each) => !query || text(each).includes(query);
    const isNamed = (each) => (each.dataset.file || "").toLowerCase().includes(query);
    let found = 0;
    for (const each of findings) { each.hidden = !has(each); found += !each.hidden; }
    for (const each of parts) {
      each.hidden = !has(each) && !isNamed(each);
      found += !each.hidden;
      if (query && !each.hidden) for (const line of all(".source > li", each)) if (text(line).includes(query)) line.classList.add("hit");
    }
    const shown = new Set(parts.filter((each) => !each.hidden).map((each) => each.dataset.file));
    for (const each of all("section.file")) each.hidden = query !== "" && !shown.has(one("h2", each).id);
    for (const each of all("nav [data-of]")) each.hidden = query !== "" && !shown.has(each.dataset.of);
    matches.textContent = query ? `${found} ${found === 1 ? "match" : "matches"}` : "";
  }
  function search(query) { box.value = query; find(query); }
  let waiting = 0;
  box?.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => find(box.value), 150); });

  // -- facts ---------------------------------------------------------------------------------------
  const facts = one("#facts");
  facts?.addEventListener("change", () => {
    for (const each of all(".source [data-q]")) {
      each.hidden = facts.value === "none" || (facts.value === "open" ? !each.classList.contains("open") : facts.value !== "all" && each.dataset.q !== facts.value);
    }
    for (const each of all(".source div")) each.hidden = [...each.children].every((one) => one.hidden);
  });

  // -- expand, copy, print -------------------------------------------------------------------------
  const expand = one("#expand");
  const expandAll = () => {
    const open = parts.some((each) => !each.hidden && !each.open);
    for (const each of parts) if (!each.hidden) each.open = open;
    expand.textContent = open ? "Collapse all" : "Expand all";
  };
  expand?.addEventListener("click", expandAll);
  for (const each of all(".copy")) {
    each.hidden = !navigator.clipboard;
    each.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(one("code", each.parentElement).textContent); each.textContent = "Copied"; }
      catch { each.textContent = "Select it"; }
    });
  }
  let opened = [];
  addEventListener("beforeprint", () => { opened = all("main details:not([open])"); opened.forEach((each) => { each.open = true; }); });
  addEventListener("afterprint", () => opened.forEach((each) => { each.open = false; }));

  // -- keyboard ------------------------------------------------------------------------------------
  const dialog = one("#keys"), useKeys = one("#use-keys");
  useKeys.checked = kept.get("keys") !== "off";
  useKeys.addEventListener("change", () => kept.set("keys", useKeys.checked ? "on" : "off"));
  one("#help").addEventListener("click", () => dialog.showModal());
  const move = (by) => {
    const stops = [...findings, ...parts].filter((each) => !each.hidden && each.offsetParent);
    const at = stops.findIndex((each) => each === document.activeElement || each.contains(document.activeElement));
    const next = stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : Math.min(stops.length - 1, Math.max(0, at + by))];
    if (!next) return;
    (next.tagName === "DETAILS" ? one("summary", next) : next).focus();
    next.scrollIntoView({ block: "start" });
  };
  const actions = {
    "/": () => box?.focus(), j: () => move(1), k: () => move(-1), e: () => expand && expandAll(), t: toggleTheme,
    "?": () => dialog.showModal(),
    o: () => { const part = document.activeElement.closest(".part"); if (part) part.open = !part.open; },
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === box) { search(""); box.blur(); return; }
    if (!useKeys.checked || event.ctrlKey || event.metaKey || event.altKey || dialog.open || event.target.closest("input, select, textarea")) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action) { event.preventDefault(); action(); }
  });
  go();
})();
