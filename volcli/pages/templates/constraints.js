"use strict";
// Whether points are in sets. A set is a union of parts, each with rows of integers that its points satisfy
// (volcli/pages/sets.py says how they are written).
const constraints = (() => {
  const sum = (row, from, x, n) => { let s = row[row.length - 1]; for (let k = 0; k < n; k++) s += row[from + k] * x[k]; return s; };
  const floor = (a, b) => Math.floor(a / b);

  // Whether the values X of parameters and dimensions are in PART.
  function holds(part, x) {
    const all = [...x];
    for (const q of part.q || []) all.push(floor(sum(q, 1, all, q.length - 2), q[0]));
    return part.c.every((row) => { const s = sum(row, 1, all, row.length - 2); return row[0] ? s === 0 : s >= 0; });
  }
  // The intervals of the coordinate AT between LOW and HIGH in which X is in PART.
  function intervals(part, x, at, low, high) {
    if ((part.q || []).some((q) => q[1 + at] !== 0)) return byPoint(part, x, at, low, high);
    const all = [...x];
    all[at] = 0;
    for (const q of part.q || []) all.push(floor(sum(q, 1, all, q.length - 2), q[0]));
    for (const row of part.c) {
      const a = row[1 + at], rest = sum(row, 1, all, row.length - 2); // a t + rest
      if (a === 0) { if (row[0] ? rest !== 0 : rest < 0) return []; continue; }
      if (row[0]) { const t = -rest / a; if (!Number.isInteger(t)) return []; low = Math.max(low, t); high = Math.min(high, t); }
      else if (a > 0) low = Math.max(low, Math.ceil(-rest / a));
      else high = Math.min(high, Math.floor(rest / -a));
    }
    return low <= high ? [[low, high]] : [];
  }
  function byPoint(part, x, at, low, high) {
    const found = [], point = [...x];
    for (let t = low; t <= high; t++) {
      point[at] = t;
      if (!holds(part, point)) continue;
      const last = found[found.length - 1];
      if (last && last[1] === t - 1) last[1] = t; else found.push([t, t]);
    }
    return found;
  }
  // The first and last number of dimension K for these parameters.
  function range(sets, k, params) {
    const n = params.length;
    let low = -Infinity, high = Infinity;
    for (const row of sets.ranges[k]) {
      let rest = row[n + 1];
      for (let p = 0; p < n; p++) rest += row[p] * params[p];
      if (row[n] > 0) low = Math.max(low, Math.ceil(-rest / row[n])); else high = Math.min(high, Math.floor(rest / -row[n]));
    }
    return [low, high];
  }

  // What is in the plane of DOWN (null: one row) and RIGHT at X: rows that are alike as one.
  function rowsOf(sets, x, down, right, rows, columns) {
    const n = sets.params.length, found = [];
    for (let y = rows[0]; y <= rows[1]; y++) {
      const at = [...x];
      if (down !== null) at[n + down] = y;
      const cut = (parts) => parts.flatMap((part) => intervals(part, at, n + right, columns[0], columns[1]));
      const inside = cut(sets.domain);
      const runs = sets.layers.map((layer) => both(merged(cut(layer.parts)), merged(inside)));
      const text = JSON.stringify([inside.length > 0, merged(inside), runs]);
      const last = found[found.length - 1];
      if (last && last.text === text) last.to = y; else found.push({ from: y, to: y, text, inside: merged(inside), runs });
    }
    return found;
  }
  function merged(intervals) {
    const found = [];
    for (const [a, b] of [...intervals].sort((one, other) => one[0] - other[0])) {
      const last = found[found.length - 1];
      if (last && a <= last[1] + 1) last[1] = Math.max(last[1], b); else found.push([a, b]);
    }
    return found;
  }
  function both(some, others) {
    const found = [];
    for (const [a, b] of some) for (const [c, d] of others) if (Math.max(a, c) <= Math.min(b, d)) found.push([Math.max(a, c), Math.min(b, d)]);
    return found;
  }
  // Columns that are alike in all rows: the numbers at which something begins, and one after the last.
  function begins(rows, columns) {
    const at = new Set([columns[0], columns[1] + 1]);
    for (const row of rows) for (const runs of [row.inside, ...row.runs]) for (const [a, b] of runs) { at.add(a); at.add(b + 1); }
    return [...at].sort((a, b) => a - b);
  }

  return { holds, intervals, range, rowsOf, begins };
})();
