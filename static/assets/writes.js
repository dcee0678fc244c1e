// Lets scripts write mark-up in pieces and look for elements by their addresses. wombat rewrites each piece as if it were whole, so a
// tag that ends in the next one is held back here until then; selectors mean the addresses that pages know. It runs after wombat, in
// every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveWrites) return;
  kind._varveWrites = true;

  // open returns where in mark-up something begins that does not end in it: a tag, a comment, an element whose content is text.
  const begin = /<(?:!--|(script|style|textarea)(?=[\s/>])|[a-z/!?]|$)/gi, piece = /=\s*(["'])|>/g;
  const tagEnd = (text, at) => { // -1 if the tag does not end
    for (piece.lastIndex = at; ; ) {
      const m = piece.exec(text);
      if (!m) return -1;
      if (m[0] === ">") return piece.lastIndex;
      const quote = text.indexOf(m[1], piece.lastIndex);
      if (quote < 0) return -1;
      piece.lastIndex = quote + 1;
    }
  };
  const openAt = (text) => {
    for (begin.lastIndex = 0; ; ) {
      const m = begin.exec(text);
      if (!m) return text.length;
      let end = m[0] === "<!--" ? text.indexOf("-->", m.index + 2) : m[0] === "<" ? -1 : tagEnd(text, begin.lastIndex);
      if (end >= 0 && m[1]) {
        const after = new RegExp(`</${m[1]}(?:[\\s/][^>]*)?>`, "gi");
        after.lastIndex = end;
        end = after.test(text) ? after.lastIndex : -1;
      }
      if (end < 0) return m.index;
      begin.lastIndex = end;
    }
  };

  // Selectors that name where an address leads, or begins to.
  const test = /\[\s*(href|src|action)\s*(\^?=)\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^\s\]"']+))\s*\]/gi;
  const known = new Map();
  const meant = (selector, base) => selector.replace(test, (all, name, how, ...values) => {
    const value = values.slice(0, 3).find((v) => v !== undefined), quoted = (v) => `"${v.replace(/["\\]/g, "\\$&")}"`;
    let there;
    if (value === "" || /^(?:#|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(value)) return all;
    if (/^https?(?::\/{0,2})?$/i.test(value)) { // any other site
      return how === "=" ? all : `:is(${all},[${name}*=${quoted("/" + value)}]:not([${name}*=${quoted("/" + new wombat.URL(base).origin + "/")}]))`;
    }
    if (value === "/" && how === "^=") { // with which everything of the archive begins
      const { pathname: rel } = new wombat.URL(wombat.wb_abs_prefix);
      return `${all}:is(:not([${name}^=${quoted(rel)}]),[${name}*=${quoted("/" + new wombat.URL(base).origin + "/")}])`;
    }
    try { there = new wombat.URL(value, base).href; } catch { return all; }
    if (!/\/$/.test(value)) there = there.replace(/^(https?:\/\/[^/]*)\/$/, "$1"); // a host alone
    return `:is(${all},[${name}${how === "=" ? "$" : "*"}=${quoted("/" + there)}])`;
  });

  const fill = (wombat) => {
    const own = wombat.$wbwindow, page = own.document, proto = own.Document.prototype, held = new WeakMap();
    const { write: whole } = proto;
    const writing = (end) => function (...given) {
      const document = wombat.proxyToObj(this), text = (held.get(document) || "") + given.map(String).join("") + end, at = openAt(text);
      held.set(document, text.slice(at));
      if (at > 0) whole.call(this, text.slice(0, at));
    };
    page.write = proto.write = { write: writing("") }.write;
    page.writeln = proto.writeln = { writeln: writing("\n") }.writeln;
    const { close, open } = page;
    page.close = proto.close = function (...given) {
      const document = wombat.proxyToObj(this), text = held.get(document);
      held.delete(document);
      if (text) whole.call(this, text);
      return close.apply(this, given);
    };
    page.open = proto.open = function (...given) {
      held.delete(wombat.proxyToObj(this));
      return open.apply(this, given);
    };

    const asking = (kind, ...names) => {
      for (const name of names) {
        const native = kind && kind.prototype[name];
        if (!native) continue;
        kind.prototype[name] = function (selector) {
          if (typeof selector !== "string" || !/\[\s*(?:href|src|action)\s*\^?=/i.test(selector)) return native.apply(this, arguments);
          const base = wombat.extractOriginalURL(page.baseURI), key = base + " " + selector;
          if (!known.has(key)) {
            if (known.size > 500) known.clear();
            known.set(key, meant(selector, base));
          }
          return native.call(this, known.get(key));
        };
        Object.defineProperty(kind.prototype[name], "name", { value: name });
        if (kind === own.Document) page[name] = kind.prototype[name]; // wombat's is there
      }
    };
    for (const kind of [own.Document, own.DocumentFragment, own.Element]) asking(kind, "querySelector", "querySelectorAll");
    asking(own.Element, "matches", "closest", "webkitMatchesSelector");
  };

  fill(wombat);
  const start = kind.wombatInit;
  kind.wombatInit = function () {
    const started = start.apply(this, arguments);
    try { fill(this); } catch { /* a window that can't be reached has no scripts of this page */ }
    return started;
  };
})();
