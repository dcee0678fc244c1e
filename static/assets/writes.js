// Lets scripts write markup in pieces and find elements by their addresses. wombat rewrites each piece as if it were complete, so an
// unfinished tag is held back here until its end comes; selectors match the original addresses. It runs after wombat, in every window
// that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveWrites) return;
  kind._varveWrites = true;

  // open returns where the unfinished part of markup begins: a tag, a comment, an element whose content is text.
  const begin = /<(?:!--|(script|style|textarea)(?=[\s/>])|[a-z/!?]|$)/gi, piece = /=\s*(["'])|>/g;
  // tagEnd returns -1 if the tag does not end.
  const tagEnd = (text, at) => {
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

  // Selectors and paths with an address mean the original spelling. plain matches an address that is unchanged or from which the spelling
  // can be derived, marked one that contains the spelling (attributes.js).
  const home = new wombat.URL(wombat.wb_info.url).origin, { pathname: rel } = new wombat.URL(wombat.wb_abs_prefix);
  const strange = /^$|^(?:#|(?!https?:)[a-z][a-z0-9+.-]*:)/i, whole = (value) => (/^\/(?!\/)/.test(value) ? home + value : /^https?($|:)/i.test(value) ? value : "");
  const test = /\[\s*(href|src|action)\s*([\^$*~]?=)\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^\s\]"']+))\s*([is])?\s*\]/gi;
  const known = new Map();
  const meant = (selector) => selector.replace(test, (all, name, how, a, b, c, flag) => {
    const value = a ?? b ?? c, is = (how, v, f = flag ? " " + flag : "") => `[${name}${how}"${v.replace(/["\\]/g, "\\$&")}"${f}]`;
    const marked = is("^=", "/~", ""), own = is("*=", `/${home}/`, ""), begun = kind.varveMark(value), to = whole(value);
    if (strange.test(value)) return all;
    if (how === "*=" || how === "$=") {
      const not = value.length < 2 ? marked : rel.includes(value) ? is("^=", "/", "") : `/${home}`.includes(value) ? marked + "," + own : marked;
      const part = begun.slice(2) + (how === "$=" ? "~" : ""), full = is("^=", "/~http", "");
      const was = "http://".includes(part) ? full : `/${home}`.includes(part) ? `:is(${full},${is("^=", "/~%2F%2F", "")})` : marked;
      return `:is(${all}:not(${not}),${was}${is("*=", part)})`;
    }
    const begins = how === "^=", there = to && `${is(begins ? "*=" : "$=", "/" + to)}:not(${marked}${to === value ? "," + own : ""})`;
    const stands = begins && value === "/" ? "" : all + ",";
    return `:is(${stands}${is("^=", begins ? begun : begun + "~")}${there && "," + there})`;
  });
  const place = /@(href|src|action)\s*=\s*("[^"]*"|'[^']*')|\b(starts-with|contains)\(\s*@(href|src|action)\s*,\s*("[^"]*"|'[^']*')\s*\)/g;
  const path = (expression) => expression.replace(place, (all, name, equal, how, of, begin) => {
    const text = equal || begin, value = text.slice(1, -1), q = text[0], to = whole(value), begun = kind.varveMark(value), is = (v) => `contains(.,${q}/${v}${q})`;
    if (strange.test(value)) return all;
    const plain = how === "contains" ? `contains(.,${text})${`/${home}`.includes(value) ? ` and not(${is(home + "/")})` : ""}`
      : `${how ? `starts-with(.,${text})` : `.=${text}`}${to && ` or ${is(to)}${how ? "" : ` and substring-after(.,${q}/${to}${q})=""`}${to === value ? ` and not(${is(home + "/")})` : ""}`}`;
    const was = how === "contains" ? `contains(substring-before(.,"/.."),${q}${begun.slice(2)}${q})` : `starts-with(.,${q}${how ? begun : begun + "~"}${q})`;
    return `@${name || of}[starts-with(.,"/~") and ${was} or not(starts-with(.,"/~")) and (${plain})]`;
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
        const native = kind?.prototype[name];
        if (!native) continue;
        kind.prototype[name] = function (selector) {
          if (typeof selector !== "string" || !/\[\s*(href|src|action)\s*[\^$*~]?=/i.test(selector)) return native.apply(this, arguments);
          if (!known.has(selector)) {
            if (known.size > 500) known.clear();
            known.set(selector, meant(selector));
          }
          return native.call(this, known.get(selector));
        };
        Object.defineProperty(kind.prototype[name], "name", { value: name });
        if (kind === own.Document) page[name] = kind.prototype[name]; // that of wombat
      }
    };
    for (const kind of [own.Document, own.DocumentFragment, own.Element]) asking(kind, "querySelector", "querySelectorAll");
    asking(own.Element, "matches", "closest", "webkitMatchesSelector");
    for (const kind of [own.Document, own.XPathEvaluator, own.XPathExpression]) {
      for (const name of ["evaluate", "createExpression"]) {
        const native = kind?.prototype[name];
        if (!native) continue;
        kind.prototype[name] = { [name](...given) {
          return native.apply(this, given.map((value) => (typeof value === "string" ? path(value) : wombat.proxyToObj(value))));
        } }[name];
        if (kind === own.Document) page[name] = kind.prototype[name];
      }
    }
  };

  kind.varveFill(fill);
})();
