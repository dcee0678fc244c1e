// Makes the text of functions that of the original page, not the rewritten one: pages search these texts, and make workers and functions
// of them. The functions of wombat and varve that replace the browser's claim to be native, because pages bring their own ones otherwise.
// It runs after all other scripts that replace functions, in every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveTexts) return;
  kind._varveTexts = true;
  const { apply } = Reflect, native = wombat.wb_funToString, sample = apply(native, Object.keys, []);

  // uncalled turns eval(_varve_.code("",x)) back into eval(x).
  const uncalled = (text) => {
    for (let at; (at = text.indexOf("_varve_.code(")) >= 0; ) {
      const rest = text.slice(at), open = /^_varve_\.code\("[^"]*",/.exec(rest);
      const parts = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`|[()]/g;
      if (!open) return text;
      let depth = 1, end = -1;
      parts.lastIndex = open[0].length;
      for (let m; depth > 0 && (m = parts.exec(rest)); end = m.index) depth += m[0] === "(" ? 1 : m[0] === ")" ? -1 : 0;
      if (depth > 0) return text;
      text = text.slice(0, at) + rest.slice(open[0].length, end) + rest.slice(end + 1);
    }
    return text;
  };

  // written returns the original text of a function (rewrite/jsnames.go and names.js rewrote it).
  const written = kind.varveWritten = (text) => uncalled(text)
    .replace(/_varve_\(\(_varve_\((\w+)\)===[^;]*?get \1\(\)\{return \1\}\}\)\)\./g, "")
    .replace(/\.__WB_pmw\(_varve_\.window\)\.postMessage/g, ".postMessage")
    .replace(/([{,]\s*)(\w+):_varve_\.\2(?=\s*[,}])/g, "$1$2")
    .replace(/with\(_varve_\.scope\("[^"]*"\)\)\{([^]*)\n\}/, "$1")
    .replace(/_varve_\((\w+)(?:,1)?\)/g, "$1").replace(/_varve_\.|frameElement\?\.contentWindow;/g, "")
    .replace(/____wb_rewrite_import__\(?(?:(?:null|"(?:[^"\\]|\\[^])*"),)?/g, "import(")
    .replace(/(\bimport\s*\(\s*["'])[^"'?#]*?\/\d{14}esm_\/(?=https?:)/g, "$1");

  // Of the constructors, only those that are replaced are read: reading one makes the browser create it.
  const replaced = new RegExp("^(?:[^A-Z]|(?:Audio|Blob|Cache|CacheStorage|CompositionEvent|CSSKeywordValue|FocusEvent|FontFace|InputEvent|" +
    "IntersectionObserver|KeyboardEvent|MouseEvent|PresentationRequest|ServiceWorker|ServiceWorkerContainer|ServiceWorkerRegistration|" +
    "Storage|TouchEvent|UIEvent|WebSocket|WheelEvent)$)");
  const kinds = ["EventTarget", "Node", "Document", "Element", "HTMLElement", "History", "XMLHttpRequest", "Storage", "Navigator", "URL"];
  const fill = (own) => {
    const placed = new WeakMap();
    const note = (object) => {
      for (const name of Object.getOwnPropertyNames(object).filter((name) => replaced.test(name))) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(object, name);
        if (typeof value === "function") placed.set(value, name);
        if (get) placed.set(get, "get " + name);
        if (set) placed.set(set, "set " + name);
      }
    };
    for (const object of [own, ...kinds.map((name) => own[name]?.prototype)]) if (object) note(object);
    own.Function.prototype.toString = new Proxy(own.Function.prototype.toString, {
      apply: (f, that, given) => {
        const text = apply(native, that, given);
        if (placed.has(that) && !text.includes("[native code]")) return sample.replace("keys", placed.get(that));
        return /_varve_|____wb_|esm_\//.test(text) ? written(text) : text;
      },
    });
  };

  fill(window);
  const start = kind.wombatInit;
  kind.wombatInit = function () {
    this.wb_funToString = native;
    const started = start.apply(this, arguments);
    try { fill(this.$wbwindow); } catch { /* a window that can't be reached has no scripts of this page */ }
    return started;
  };
})();
