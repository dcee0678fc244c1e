// Begins every script of a worker: its requests go to the archive, at the page's datetime, and it sees its original address. In pages,
// where it runs before wombat, it only makes workers of blobs and data begin with it. The server writes self._varveWorker before it:
// prefix (…/web/), apart (the same for other sites, if they have hosts of their own), time (ts14), url (the original address of the
// worker) and script (the address of this script).
(() => {
  "use strict";
  const page = typeof document === "object", me = page && document.currentScript;
  const told = page ? { script: new self.URL(me.dataset.worker, me.src).href } : self._varveWorker;
  if (!page && told.address) return; // this script has been loaded already
  const hidden = (name, value) => Object.defineProperty(self, name, { value, writable: true, configurable: true, enumerable: false });
  const { XMLHttpRequest: XHR, Blob, URL } = self, { open, send } = XHR.prototype, createURL = URL.createObjectURL.bind(URL);
  const origin = self.origin;

  // Only imports have to be rewritten in a script that exists only as text; functions handle the rest.
  const imports = new RegExp([
    /\/\/.*|\/\*[^]*?\*\//, /(?<![\w$.#])(import)\s*\((?=[^)])/,
    /((?<![\w$.#])(?:import\s*|(?:import|export)(?=[\s{*])[^"'`;()=]*?\bfrom\s*))(["'])((?:https?:)?\/\/[^"'\n]*)\3/,
    /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`/,
  ].map((r) => r.source).join("|"), "g");
  const spelled = (text, to) => text.replace(imports, (all, dynamic, clause, quote, specifier) => (
    dynamic ? "____wb_rewrite_import__(null," : specifier ? clause + quote + to(specifier, "esm_") + quote : all));

  const read = (address) => {
    const request = new XHR();
    open.call(request, "GET", address, false);
    request.overrideMimeType("text/plain"); // Firefox reads what has no type as XML
    send.call(request);
    return request.responseText;
  };

  // begun returns the address of a worker script that begins with this one and continues with the blob or the data at an address.
  const known = new Map();
  const begun = (address, module, { prefix, apart, time, home, to }) => {
    const key = (module ? "m" : "c") + address;
    if (!known.has(key)) {
      const info = JSON.stringify({ prefix, apart, time, home, url: address, script: told.script });
      const start = module
        ? `import"data:text/javascript,self._varveWorker=${encodeURIComponent(info).replace(/'/g, "%27")}";import${JSON.stringify(told.script)};`
        : `self._varveWorker=${info};importScripts(${JSON.stringify(told.script)});`;
      const text = spelled(read(address), to), directives = module ? "" : /^(?:\s|\/\/.*|\/\*[^]*?\*\/|(["'])use strict\1;?)*/.exec(text)[0];
      known.set(key, createURL(new Blob([directives, start, text.slice(directives.length)], { type: "text/javascript" })));
    }
    return known.get(key);
  };
  if (page) {
    const { open: begin, write, close: end } = Document.prototype;
    const told = {}; // what elements and styles return before wombat changes that
    for (const name of [
      "Element.innerHTML", "Element.outerHTML", "ShadowRoot.innerHTML", "CharacterData.data", "Text.wholeText", "Node.nodeValue",
      "HTMLElement.style", "SVGElement.style", "CSSStyleRule.style",
    ]) {
      const [type, member] = name.split("."), d = self[type] && Object.getOwnPropertyDescriptor(self[type].prototype, member);
      if (d) told[name] = d.get;
    }
    const natives = { told, Worker: self.Worker, createURL, origin, session: null, write(html) { begin.call(document); write.call(document, html); end.call(document); } };
    try { natives.session = self.sessionStorage; } catch { /* a sandbox has none */ }
    return hidden("_varveWorker", { begun, spelled, natives });
  }

  // address returns the archive's address for a request of this worker.
  const { prefix, apart, time, home } = told, inBlob = told.url.startsWith("blob:");
  const seen = inBlob ? "blob:" + home + told.url.slice(5 + origin.length) : told.url + (told.url.startsWith("data:") ? "" : self.location.hash);
  const homeOf = (u) => (apart ? self._varveLabels.home(apart, u.origin) : prefix);
  const original = (href) => { // all homes have the same length
    const uri = href.slice(prefix.length).replace(/^\d*(?:\w\w_|\w{3,4}_|\$[\w.]+)?\/(?=https?:)/, "");
    try { return uri && homeOf(new URL(uri)) === href.slice(0, prefix.length) ? uri : href; } catch { return href; }
  };
  const address = (given, modifier, base = seen) => {
    let u;
    try { u = new URL(given, base); } catch { return given; } // the browser reports the error
    if (u.protocol !== "http:" && u.protocol !== "https:" || u.href.startsWith(prefix) || original(u.href) !== u.href) return u.href;
    return (modifier === "wkrf_" ? homeOf(u) : prefix) + time + modifier + "/" + u.href; // a script notices redirects
  };
  const workerAddress = (given, options) => {
    const module = Boolean(options) && options.type === "module";
    return /^(blob|data):/i.test(given) ? begun(String(given), module, { prefix, apart, time, home: home || new URL(seen).origin, to: address }) : address(given, module ? "wkrm_" : "wkr_");
  };
  hidden("_varveWorker", { address });

  // A script that the server rewrote for the page may become a worker's: the text of a function.
  hidden("_varve_", new Proxy((value) => value, {
    get: (_, name) => (name === "code" ? (_place, text) => text : self[name]),
    set: (_, name, value) => { self[name] = value; return true; },
  }));
  hidden("____wb_rewrite_import__", (base, specifier) => (
    import(/^(\.{0,2}\/|https?:)/.test(specifier) ? address(specifier, "esm_", base || seen) : specifier)));
  Object.defineProperty(Object.prototype, "__WB_pmw", { get() { return () => this; }, set() {}, configurable: true, enumerable: false });

  // asking replaces a function or a constructor whose first argument is an address.
  const asking = (name, rewrite) => {
    if (typeof self[name] !== "function") return;
    const ready = (given) => (given.length > 0 ? [rewrite(given[0], given[1]), ...given.slice(1)] : given);
    const made = new Proxy(self[name], {
      apply: (f, that, given) => Reflect.apply(f, that, ready(given)),
      construct: (f, given, target) => Reflect.construct(f, ready(given), target),
    });
    hidden(name, made);
    if (made.prototype) Object.defineProperty(made.prototype, "constructor", { value: made });
  };
  const Asked = self.Request, asked = (given) => (given instanceof Asked ? given : address(given, "wkrf_"));
  for (const name of ["fetch", "Request", "EventSource"]) asking(name, asked);
  asking("WebSocket", (given) => address(String(given).replace(/^ws/i, "http"), "ws_").replace(/^http/, "ws"));
  asking("Worker", workerAddress);
  if (self.importScripts) {
    const load = self.importScripts;
    hidden("importScripts", function importScripts(...all) { return load.apply(this, all.map((u) => address(u, "wkr_"))); });
  }
  XHR.prototype.open = function (method, given, ...rest) { return open.call(this, method, address(given, "wkrf_"), ...rest); };

  // answering replaces the result of a getter.
  const answering = (kind, name, answer) => {
    const d = kind && Object.getOwnPropertyDescriptor(kind.prototype, name);
    if (d?.get) Object.defineProperty(kind.prototype, name, { ...d, get() { return answer(d.get.call(this), this); } });
  };
  const { Request, Response, EventSource, PerformanceEntry } = self, originOf = (u) => new URL(u).origin;
  for (const kind of [Request, Response, EventSource]) answering(kind, "url", original);
  answering(XHR, "responseURL", original);
  answering(PerformanceEntry, "name", original);
  answering(Response, "type", (type, { url }) => (type === "basic" && /^http/.test(url) && originOf(url) !== originOf(seen) ? "cors" : type));
  answering(self.MessageEvent, "origin", (o, { target }) => (EventSource && target instanceof EventSource ? originOf(target.url) : o));
  const place = self.WorkerLocation, whole = new URL(seen);
  for (const name of ["href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "hash"]) answering(place, name, () => whole[name]);
  place.prototype.toString = { toString() { return this.href; } }.toString;
  answering(self.WorkerGlobalScope, "origin", (o) => (o === origin ? whole.origin : o));
})();
