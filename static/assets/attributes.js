// Returns to scripts the addresses that they set on elements, as they wrote them: a router compares the value of an attribute with its
// own paths. wombat only knows the resolved address. It runs after wombat, in every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveAttributes) return;
  kind._varveAttributes = true;
  const named = new Set(["href", "src", "action", "data", "cite", "poster", "formaction", "srcset", "imagesrcset"]);
  const lists = /srcset$|^background$/, handler = /^on/, plugged = /^(movie|src|data|url|href|filename)$/i;
  const parts = ["protocol", "host", "hostname", "port", "pathname", "search", "hash", "username", "password"];
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const given = new WeakMap(); // attributes that scripts set on an element, with the values that replaced them

  // A URI-M may be preceded by its original spelling (rewrite/reference/spelling.go). spelt replaces both by the spelling.
  const home = new wombat.URL(wombat.wb_info.url).origin, rel = new wombat.URL(wombat.wb_abs_prefix).pathname;
  const marks = new RegExp(`/~([\\w%.-]*)~(\\d+)/\\.\\.(?=${escaped(rel)})`, "g"), marked = new RegExp(`^\\s*${marks.source}`);
  const spelt = kind.varveSpelt = (text, markup) => {
    let out = "", from = 0;
    if (!text.includes("/~")) return text;
    marks.lastIndex = 0;
    for (let m; (m = marks.exec(text)); from = marks.lastIndex) {
      const was = decodeURIComponent(m[1]);
      for (let n = m[2]; n > 0; n--) marks.lastIndex += markup && text.startsWith("&amp;", marks.lastIndex) ? 5 : text[marks.lastIndex] === "\\" ? 2 : 1;
      out += text.slice(from, m.index) + (markup ? was.replace(/&/g, "&amp;").replace(/"/g, "&quot;") : was);
    }
    return out + text.slice(from);
  };
  const mark = kind.varveMark = (text) => "/~" + encodeURIComponent(text).replace(/[!'()*~]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
  for (const [name, known] of [["rewriteUrl", (url) => url], ["extractOriginalURL", (url) => spelt(url)]]) {
    const native = kind[name];
    kind[name] = function (url, ...rest) { return typeof url === "string" && marked.test(url) ? known(url) : native.call(this, url, ...rest); };
    if (Object.hasOwn(wombat, name)) wombat[name] = kind[name].bind(wombat);
  }

  // original returns a list of pictures as it was. An address that the server wrote as a path of the site becomes one again.
  const archived = new RegExp(`(${escaped(wombat.wb_abs_prefix)}|(?<![^\\s,])${escaped(rel)})\\d*\\w*/((?:https?:)?//[^/\\s,]*)`, "g");
  const original = (list) => spelt(list).replace(archived, (_, prefix, origin) => (prefix === rel && origin === home ? "" : origin));

  const fill = (wombat) => {
    const own = wombat.$wbwindow, { wb_getAttribute: raw } = wombat, element = own.Element.prototype;
    const remember = (e, name, value) => {
      const stands = raw.call(e, name);
      if (stands === value) return;
      if (!given.has(e)) given.set(e, {});
      given.get(e)[name] = [value, stands];
    };
    const { setAttribute, getAttribute, getAttributeNames } = element, ready = (handler) => own._varve_.code("", handler);
    element.setAttribute = function (name, value) {
      const n = String(name).toLowerCase(), handles = handler.test(n);
      if (!named.has(n) && !handles || arguments.length < 2) return setAttribute.apply(this, arguments);
      const text = String(value);
      setAttribute.call(this, name, handles ? ready(text) : n === "formaction" ? wombat.rewriteUrl(text) : value);
      remember(this, n, text);
    };
    const { rewriteElem } = wombat;
    wombat.rewriteElem = function (e) {
      const changed = rewriteElem.call(this, e), names = e?.nodeType === 1 ? getAttributeNames.call(e).filter((n) => handler.test(n)) : [];
      for (const n of names) setAttribute.call(e, n, ready(raw.call(e, n)));
      // wombat rewrites only whole addresses of these
      const at = { object: "data", embed: "src", param: plugged.test(e?.name) && "value" }[e?.localName], value = at && raw.call(e, at);
      if (value) wombat.wb_setAttribute.call(e, at, wombat.rewriteUrl(value, false, "oe_"));
      return changed || !!value || names.length > 0;
    };
    element.getAttribute = function (name) {
      const n = String(name).toLowerCase(), known = given.has(this) && given.get(this)[n];
      if (known && known[1] === raw.call(this, n)) return known[0];
      const value = getAttribute.apply(this, arguments);
      if (value && lists.test(n)) return original(raw.call(this, n));
      if (value?.includes("_varve_")) return kind.varveWritten(value);
      if (value?.includes("/~")) return spelt(value);
      return value && (n === "formaction" || n === "cite") ? wombat.extractOriginalURL(value) : value;
    };

    // property replaces the getter and the setter of a property of elements.
    const property = (tag, name, { get, set }) => {
      const proto = own[`HTML${tag}Element`] && own[`HTML${tag}Element`].prototype, d = proto && Object.getOwnPropertyDescriptor(proto, name);
      if (!d?.get || !d.configurable) return;
      Object.defineProperty(proto, name, {
        ...d,
        get() { return get ? get(d.get.call(this), this) : d.get.call(this); },
        set: d.set && function (value) { set ? set(this, value, d.set) : d.set.call(this, value); },
      });
    };
    const kinds = {
      href: ["Anchor", "Area", "Base", "Link"], action: ["Form"], data: ["Object"], cite: ["Quote", "Mod"],
      src: ["Audio", "Embed", "Frame", "Image", "Input", "Media", "Script", "Source", "Track", "Video"],
    };
    for (const [name, tags] of Object.entries(kinds)) {
      for (const tag of tags) {
        const link = tag === "Anchor" || tag === "Area"; // wombat would complete its address
        property(tag, name, {
          set(e, value, native) {
            link ? setAttribute.call(e, name, String(value)) : native.call(e, value);
            remember(e, name, String(value));
          },
        });
      }
    }
    for (const tag of ["Button", "Input"]) {
      property(tag, "formAction", { get: (value) => wombat.extractOriginalURL(value), set(e, value) { e.setAttribute("formaction", value); } });
    }
    for (const tag of ["Image", "Source"]) property(tag, "srcset", { get: (_, e) => e.getAttribute("srcset") || "", set(e, value) { e.setAttribute("srcset", value); } });
    property("Body", "background", { get: original });
    for (const tag of ["Image", "Media"]) property(tag, "currentSrc", { get: (value) => wombat.extractOriginalURL(value) });

    // Setting a part of an address changes the address that the page knows.
    for (const tag of ["Anchor", "Area"]) {
      for (const part of parts) {
        property(tag, part, {
          get(value, e) { try { return new wombat.URL(e.href)[part]; } catch { return value; } },
          set(e, value) {
            try {
              const address = new wombat.URL(e.href);
              address[part] = value;
              e.href = address.href;
            } catch { /* without an address there are no parts */ }
          },
        });
      }
    }
  };

  // A base that is added or changed moves relative addresses: this concerns links that may still be followed.
  let base = document.baseURI;
  const move = () => {
    if (document.baseURI === base) return;
    base = document.baseURI;
    for (const e of document.querySelectorAll("a[href],area[href],form[action]")) {
      const name = e.localName === "form" ? "action" : "href", stands = wombat.wb_getAttribute.call(e, name), was = e.getAttribute(name);
      const [, before] = new RegExp(`^\\s*(?:/~[^/]*/\\.\\.)?(${escaped(rel)}\\d*\\w*/)http`).exec(stands) || [];
      if (!before || /^\s*https?:/i.test(was)) continue;
      const to = before + new wombat.URL(was, base).href, ready = `${mark(was)}~${to.length}/..${to}`;
      if (ready !== stands) wombat.wb_setAttribute.call(e, name, ready);
    }
  };
  new MutationObserver(move).observe(document.head || document, { childList: true, subtree: true, attributeFilter: ["href"] });

  kind.varveFill(fill);
})();
