// Tells the page around an archived one, by number, which element the reader points at. The archived page is inert: its links lead
// nowhere, and its origin is opaque.
(() => {
  "use strict";
  const NUMBER = "data-varve-n", MARK = "data-varve-here";
  const style = document.createElement("style");
  style.textContent = `html body [${NUMBER}], html[${NUMBER}] { cursor: crosshair !important; pointer-events: auto !important; }` +
    `[${MARK}] { outline: 3px solid #0a7d74 !important; outline-offset: 1px !important; box-shadow: 0 0 0 6px #0a7d7455 !important; }` +
    `[${MARK}="chosen"] { outline-color: #b06a00 !important; box-shadow: 0 0 0 6px #b06a0066 !important; }`;
  let at = null, chosen = null;

  const numberOf = (e) => Number(e.getAttribute(NUMBER));
  const isPlace = (e) => e instanceof Element && e.hasAttribute(NUMBER);
  const label = (e) => `${e.localName} ${(e.textContent || e.getAttribute("alt") || "").trim().replace(/\s+/g, " ").slice(0, 80)}`;
  const tell = (what, e) => parent.postMessage({ varve: what, element: numberOf(e), label: label(e) }, "*");
  const mark = (e, how) => {
    if (e) e.setAttribute(MARK, how);
  };
  const show = (e) => {
    if (at && at !== chosen) at.removeAttribute(MARK);
    at = e;
    if (at !== chosen) mark(at, "here");
  };
  const choose = (e) => {
    if (chosen) chosen.removeAttribute(MARK);
    at = chosen = e;
    mark(e, "chosen");
    tell("chosen", e);
  };
  // The target may be in a shadow tree.
  const target = (event) => event.composedPath().find(isPlace);

  const all = () => [...document.querySelectorAll(`[${NUMBER}]`)];
  const next = (by) => {
    const list = all(), i = list.indexOf(at);
    return list[Math.min(Math.max(i + by, 0), list.length - 1)];
  };
  const outer = () => {
    const p = at && (at.parentElement || at.getRootNode().host);
    return isPlace(p) ? p : at;
  };
  const keys = {
    ArrowDown: () => next(1),
    ArrowUp: () => next(-1),
    ArrowLeft: outer,
    ArrowRight: () => at && [...at.children].find(isPlace) || at,
    Home: () => document.body,
  };

  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("click", (event) => {
    stop(event);
    const e = target(event);
    if (e) choose(e);
  }, true);
  for (const type of ["auxclick", "dblclick", "submit", "dragstart", "contextmenu"]) addEventListener(type, stop, true);
  addEventListener("pointerover", (event) => {
    const e = target(event);
    if (e) show(e);
  }, true);
  addEventListener("focusin", (event) => {
    const e = target(event);
    if (e && e !== document.body) show(e);
  }, true);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const go = keys[event.key];
    if (go) {
      stop(event);
      const e = at ? go() : document.body;
      show(e);
      e.scrollIntoView({ block: "nearest", inline: "nearest" });
      tell("shown", e);
    } else if ((event.key === "Enter" || event.key === " ") && at) {
      stop(event);
      choose(at);
    }
  }, true);
  // The surrounding page may select an element, which was chosen there or in an earlier answer.
  addEventListener("message", (event) => {
    if (event.source !== parent || !Number.isInteger(event.data && event.data.show)) return;
    const e = document.querySelector(`[${NUMBER}="${event.data.show}"]`);
    if (!e) return;
    if (chosen) chosen.removeAttribute(MARK);
    at = chosen = e;
    mark(e, "chosen");
    e.scrollIntoView({ block: "center" });
  });
  addEventListener("DOMContentLoaded", () => {
    document.documentElement.append(style);
    document.documentElement.tabIndex = 0;
    parent.postMessage({ varve: "ready" }, "*");
  });
})();
