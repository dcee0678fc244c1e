// Lets documents, style sheets and scripts that a page makes out of text begin and look as if the server had rewritten them: blob: and
// data: frames, srcdoc, blobs that are loaded. It comes last in the head. It also runs in made documents, where it shows scripts the
// address that the document would have had.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat), worker = window._varveWorker;
  if (!kind || kind._varveMade) return;
  kind._varveMade = true;
  const here = new wombat.URL(wombat.wb_abs_prefix).origin, home = new wombat.URL(wombat.wb_info.url), made = window._varveMadeOf;
  const { XMLHttpRequest: XHR, Blob: AnyBlob, DOMParser: Parser } = window, { createObjectURL, revokeObjectURL } = URL;

  // head is the markup that the server inserted into the head of this page, from inside.js on.
  const scripts = [...document.scripts], first = scripts.findIndex((s) => s.hasAttribute("data-prefix"));
  const head = scripts.slice(first, scripts.indexOf(document.currentScript) + 1).filter((s) => !s.hasAttribute("data-made")).map((s) => {
    const copy = s.cloneNode(true);
    if (s.src) wombat.wb_setAttribute.call(copy, "src", s.src);
    copy._no_rewrite = true;
    return copy.outerHTML;
  });
  const marked = (text) => text.includes(head[head.length - 1]);
  for (const s of scripts.slice(0, scripts.indexOf(document.currentScript) + 1)) { // the scripts of the page come first, as they did
    if (s.src ? s.src.startsWith(wombat.wb_info.static_prefix) : s.textContent.startsWith("window.wbinfo=")) s.remove();
  }

  // html rewrites a whole document. shown is the address that its scripts see, if that isn't the browser's.
  const html = (text, from, shown) => {
    text = String(text);
    if (marked(text)) return text;
    const page = new Parser().parseFromString(text, "text/html"), root = page.documentElement;
    page.head.prepend(page.createComment("varve head"));
    root.remove(); // Firefox takes what a style in such a document imports for empty, in this page too
    for (const e of root.querySelectorAll("script")) {
      if (e.type === "module" && !e.src) e.textContent = worker.spelled(e.textContent, esm);
    }
    wombat.rewriteElem(root);
    wombat.recurseRewriteElem(root);
    root._no_rewrite = true;
    const said = shown ? `<script data-made>window._varveMadeOf=${JSON.stringify(shown).replace(/</g, "\\u003c")}</script>` : "";
    const body = root.outerHTML.replace("<!--varve head-->", () => said + head.slice(from).join(""));
    const ready = (page.doctype ? wombat.reconstructDocType(page.doctype) : "") + body;
    if (!from) frames.set(ready, text);
    return ready;
  };
  // varveGiven returns markup with the documents of its frames as the page wrote them.
  const frames = new Map(), signs = [["&", "&amp;"], ["\u00a0", "&nbsp;"], ['"', "&quot;"], ["<", "&lt;"], [">", "&gt;"]];
  kind.varveGiven = (text) => (!frames.size ? text : text.replace(/ srcdoc="([^"]*)"/g, (all, escaped) => {
    const given = frames.get(signs.reduceRight((t, [sign, code]) => t.replaceAll(code, sign), escaped));
    return given === undefined ? all : ` srcdoc="${signs.reduce((t, [sign, code]) => t.replaceAll(sign, code), given)}"`;
  }));
  kind.varveDocument = (text) => html(text, head.length); // a document that has the head already
  const esm = (specifier) => wombat.rewriteUrl(specifier, false, "esm_");
  const script = (text) => worker.spelled(wombat.wrapScriptTextJsProxy(text), esm);
  const rewriters = [
    [/^text\/html\s*(?:;|$)/i, (text, shown) => html(text, 1, shown)], // inside.js inserts itself
    [/^text\/css\s*(?:;|$)/i, (text) => wombat.rewriteStyle(text)],
    [/^(?:text|application)\/(?:x-)?(?:java|ecma)script\s*(?:;|$)/i, script],
  ];

  // blobURL returns the address with which a blob can be loaded. Scripts that read it get the original.
  const originals = new Map();
  const read = (blob) => {
    const address = createObjectURL(new AnyBlob([blob], { type: blob.type.replace(/^[^;]*/, "text/plain") }));
    const request = new XHR();
    wombat.utilFns.XHRopen.call(request, "GET", address, false);
    wombat.utilFns.XHRsend.call(request);
    revokeObjectURL(address);
    return [address, request.responseText];
  };
  const blobURL = (create, blob, shown) => {
    const [, rewrite] = rewriters.find(([type]) => blob instanceof AnyBlob && type.test(blob.type)) || [];
    if (!rewrite) return create(blob);
    let text, ready;
    try { [, text] = read(blob); ready = rewrite(text, shown); } catch { return create(blob); }
    if (ready === text) return create(blob);
    const address = create(new AnyBlob([ready], { type: blob.type.replace(/;.*/, "") + ";charset=utf-8" }));
    originals.set(address, createObjectURL(new AnyBlob([blob], { type: /html/i.test(blob.type) ? "text/plain" : blob.type })));
    return address;
  };
  const unmade = kind.varveUnmade = (address) => originals.get(String(address)) || address;

  // A data: frame becomes a blob: frame, since data: frames could open windows without inside.js. So could XML frames.
  const harmless = /^(?:text\/(?:html|plain)|image\/(?!svg)[\w.+-]+|application\/(?:pdf|json))\s*(?:;|$)/i;
  const data = (address) => {
    const [, type, coding, body] = /^data:([^,]*?)(;\s*base64\s*)?,([^]*)$/i.exec(address) || [];
    if (body === undefined || !harmless.test(type || "text/plain")) return "about:blank";
    let text = body.replace(/#.*/, "").replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
    if (coding) { try { text = atob(text); } catch { return "about:blank"; } }
    const bytes = coding || !/[^\0-\xff]/.test(text) ? Uint8Array.from(text, (c) => c.charCodeAt(0)) : new TextEncoder().encode(body);
    return blobURL((blob) => URL.createObjectURL(blob), new AnyBlob([bytes], { type: type || "text/plain" }), String(address));
  };
  const isData = (value) => /^\s*data:/i.test(value);
  const frameTags = new Set(["IFRAME", "FRAME"]);

  const fill = (wombat) => {
    const own = wombat.$wbwindow, { URL: Address } = own, set = wombat.wb_setAttribute, get = wombat.wb_getAttribute;
    const create = Address.createObjectURL, revoke = Address.revokeObjectURL;
    Address.createObjectURL = function createObjectURL(blob) { return blobURL((b) => create.call(Address, b), blob); };
    Address.revokeObjectURL = function (address) {
      if (originals.has(String(address))) revoke.call(Address, originals.get(address));
      originals.delete(String(address));
      return revoke.call(Address, address);
    };
    const { fetch } = own, { open } = own.XMLHttpRequest.prototype;
    own.fetch = async function (given, ...rest) { // an invalid request is left to the browser
      return fetch.call(this, typeof given === "string" || given instanceof Address ? unmade(given) : given, ...rest);
    };
    own.XMLHttpRequest.prototype.open = function (method, given, ...rest) { return open.call(this, method, unmade(given), ...rest); };
    const start = wombat.rewriteWorker;
    wombat.rewriteWorker = function (address, ...rest) { return start.call(this, unmade(address), ...rest); };

    const element = wombat.rewriteElem;
    wombat.rewriteElem = function (e) {
      const changed = element.call(this, e);
      if (!e || !frameTags.has(e.tagName)) return changed;
      const src = get.call(e, "src"), srcdoc = get.call(e, "srcdoc");
      if (srcdoc !== null && !marked(srcdoc)) set.call(e, "srcdoc", html(srcdoc, 0));
      if (src !== null && isData(src)) set.call(e, "src", data(src));
      return true;
    };
    const proto = own.HTMLIFrameElement.prototype, given = new WeakMap();
    const attribute = (name, to) => {
      const d = Object.getOwnPropertyDescriptor(proto, name);
      Object.defineProperty(proto, name, {
        ...d,
        get() { return given.has(this) && name in given.get(this) ? given.get(this)[name] : d.get.call(this) ?? get.call(this, name) ?? ""; },
        set(value) {
          const ready = to(String(value));
          given.set(this, { ...given.get(this), [name]: ready === null ? undefined : String(value) });
          if (ready !== null) return set.call(this, name, ready);
          delete given.get(this)[name];
          d.set.call(this, value);
        },
      });
    };
    attribute("srcdoc", (value) => html(value, 0));
    attribute("src", (value) => (isData(value) ? data(value) : null));
    const { setAttribute, getAttribute } = proto;
    proto.getAttribute = function (name) {
      const value = getAttribute.call(this, name);
      return frames.get(value) ?? value;
    };
    proto.setAttribute = function (name, value) {
      const n = String(name).toLowerCase();
      if (n === "srcdoc" || n === "src" && isData(value)) this[n] = value;
      else setAttribute.call(this, name, value);
    };
    placed(wombat);
  };

  // placed tells the scripts of a document without a web address which address it has.
  const placed = (wombat) => {
    const own = wombat.$wbwindow, url = own.location.href;
    if (!/^(about|blob):/.test(url)) return;
    const shown = own === window && made || (url.startsWith("blob:") ? "blob:" + home.origin + url.slice(5 + here.length) : url);
    const extract = wombat.extractOriginalURL;
    wombat.extractOriginalURL = function (address) {
      if (String(address) === url) return shown;
      return address === here + "/" ? home.origin + "/" : extract.call(this, address);
    };
    const origin = shown.startsWith("data:") ? "null" : home.origin;
    Object.defineProperty(own.WB_wombat_location, "origin", { get: () => origin, set() {}, configurable: true, enumerable: true });
    if (origin !== "null") own.document.__wb_domain = home.hostname;
    else Object.defineProperty(own.document, "referrer", { get: () => home.origin + "/", configurable: true });
    wombat.setLoc(own.WB_wombat_location, url);
  };
  kind.varveFill(fill);

  // data: frames in the page's own markup, which the policy has refused.
  document.addEventListener("DOMContentLoaded", () => {
    for (const e of document.querySelectorAll("iframe[src^='data:' i], frame[src^='data:' i]")) wombat.rewriteElem(e);
  });
})();
