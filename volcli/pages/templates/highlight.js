"use strict";
// Colours of MLIR: ranges of text beside the page's elements, of what is open, by the CSS Custom Highlight API.
(() => {
  if (!globalThis.Highlight || !CSS.highlights) return;
  const KINDS = ["comment", "string", "number", "value", "symbol", "type"];
  const WORD = new RegExp([
    /(\/\/.*)/, /("(?:[^"\\]|\\.)*")/, /((?<![\w.])-?(?:0x[\da-fA-F]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)(?![\w.]))/, /(%[\w$.-]+(?:[:#]\d+)?)/,
    /([@#^][\w$.-]+|@"[^"]*")/,
    /(![\w$.-]+|\b(?:tensor|memref|vector|complex|tuple)\b(?!\.)<?(?:(?:\d+|\?|\[\d+\]|\*)x)*(?:index|[su]?i\d+|bf16|tf32|f\d+\w*)?|\b(?:index|none|[su]?i\d+|bf16|tf32|f\d+\w*)\b)/,
  ].map((each) => each.source).join("|"), "g");
  const shown = KINDS.map((kind) => { const made = new Highlight(); CSS.highlights.set(kind, made); return made; });
  const done = new WeakSet();
  const colour = (element) => {
    const text = element.firstChild;
    if (!text || text.nodeType !== Node.TEXT_NODE || done.has(element)) return;
    done.add(element);
    for (const word of text.data.matchAll(WORD)) {
      const kind = word.findIndex((each, k) => k && each !== undefined) - 1;
      shown[kind].add(new StaticRange({ startContainer: text, startOffset: word.index, endContainer: text, endOffset: word.index + word[0].length }));
    }
  };
  const inside = (root) => root.querySelectorAll(".source > li, .pair td:not(.no)").forEach(colour);
  document.querySelectorAll(".part").forEach((part) => part.addEventListener("toggle", () => part.open && inside(part)));
  document.querySelectorAll(".part[open], .pair").forEach(inside);
})();
