// Shows scripts the original addresses wherever they read text that contains addresses: markup, styles, the values of attributes. An
// address of the archive that begins at the server's root was a path of the site, if it leads there. It runs after wombat, in every
// window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveShown) return;
  kind._varveShown = true;
  const { told } = window._varveWorker.natives, descriptor = Object.getOwnPropertyDescriptor;
  const { origin, pathname: rel } = new wombat.URL(wombat.wb_abs_prefix), home = new wombat.URL(wombat.wb_info.url).origin;
  const escaped = (text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"), [other] = /^[^/]*\/\/[^/]*/.exec(wombat.wb_info.apart || "") || [origin];
  const hosts = [origin, other].map((host) => escaped(host).replace("*", "[a-z2-7]{26}")).join("|");
  const archived = new RegExp(`(?<![^\\s"'(,;])(${hosts})?${escaped(rel)}\\d*\\w*/((?:https?:)?//[^/\\s"'()<>&,\\\\]*)(?=(/?))`, "g");
  const shown = kind.varveShown = (text, markup) => (typeof text === "string" && text.includes(rel)
    ? kind.varveSpelt(text, markup === true).replace(archived, (_, host, site, slash) => (!host && slash && site === home ? "" : site)) : text);
  const written = (text, markup) => shown(text.includes("_varve_") ? kind.varveWritten(text) : text, markup);
  const markup = (text, e) => (e._no_rewrite ? text : written(kind.varveGiven(text), true).replace(/ _(?=(?:integrity|crossorigin|nonce)=")/g, " ")); // what is marked so is read by wombat
  // The server has rewritten scripts, styles and the content of noscript: this concerns their text, and that of elements around them.
  const code = "script,style,noscript", isCode = (e) => e?.matches?.(code);
  const content = (text, e) => (typeof text === "string" && (text.includes("_varve_") ||
    text.includes(rel) && (isCode(e) || e.querySelector && e.querySelector(code))) ? written(text) : text);

  const real = new WeakMap(), proxies = new WeakMap(); // of styles
  const realOf = (style) => real.get(style) || style;

  // wombat rewrites url(…) in styles. In image-set, strings are addresses, too.
  const sets = /(image-set\()((?:[^()]|\([^()]*\))*)/gi, strings = /(?<!type\(\s*)(["'])([^"']+)\1/g;
  const { rewriteStyle } = kind;
  kind.rewriteStyle = function (style) {
    const ready = rewriteStyle.call(this, style);
    if (typeof ready !== "string" || !ready.includes("image-set(")) return ready;
    return ready.replace(sets, (_, begin, all) => begin + all.replace(strings, (_, quote, to) => quote + this.rewriteUrl(to, true, "im_") + quote));
  };
  if (Object.hasOwn(wombat, "rewriteStyle")) wombat.rewriteStyle = kind.rewriteStyle.bind(wombat);

  const fill = (wombat) => {
    const own = wombat.$wbwindow;
    const reading = (type, name, tell, native) => {
      const proto = own[type]?.prototype, d = proto && descriptor(proto, name);
      if (d?.get && d.configurable) Object.defineProperty(proto, name, { ...d, get() { return tell((native || d.get).call(realOf(this)), this); } });
    };
    const calling = (type, name, tell) => {
      const proto = own[type]?.prototype, native = proto && descriptor(proto, name)?.value;
      if (native) proto[name] = { [name](...given) { return tell(native.apply(realOf(this), given), given); } }[name];
    };
    for (const [type, name] of [["Element", "innerHTML"], ["Element", "outerHTML"], ["ShadowRoot", "innerHTML"]]) {
      reading(type, name, markup, told[type + "." + name]);
    }
    for (const [type, name] of [["Element", "getHTML"], ["ShadowRoot", "getHTML"], ["XMLSerializer", "serializeToString"]]) calling(type, name, (text) => markup(text, {}));
    for (const name of ["textContent", "innerText", "outerText", "text"]) {
      for (const type of ["Node", "HTMLElement", "HTMLStyleElement", "HTMLScriptElement"]) reading(type, name, content);
    }
    const text = (value, { nodeType, parentNode }) => (
      nodeType === 3 && (isCode(parentNode) || value.includes("_varve_")) ? written(value) : value);
    for (const source of ["CharacterData.data", "Text.wholeText", "Node.nodeValue"]) {
      const [type, name] = source.split(".");
      for (const at of new Set([type, "Text"])) reading(at, name, text, told[source]);
    }
    reading("CharacterData", "length", (length, node) => (isCode(node.parentNode) ? node.data.length : length));
    const { toString } = own.Range.prototype;
    own.Range.prototype.toString = { toString() { return content(toString.call(this), this.commonAncestorContainer); } }.toString;

    // Values of attributes, as from getAttribute.
    const { getAttribute } = own.Element.prototype;
    own.Element.prototype.getAttribute = function (name) {
      const value = getAttribute.apply(this, arguments);
      return value !== null && /^style$/i.test(name) ? shown(value) : value;
    };
    const value = (text, a) => (a.ownerElement && a.name !== undefined && text ? a.ownerElement.getAttribute(a.name) ?? text : text);
    for (const name of ["value", "nodeValue", "textContent"]) reading("Attr", name, value);
    calling("Element", "getAttributeNS", shown);

    for (const name of ["baseVal", "animVal"]) reading("SVGAnimatedString", name, shown);
    reading("MutationRecord", "oldValue", shown);
    reading("XPathResult", "stringValue", written);

    // A custom element gets the values of its attributes by a function that define takes from its class.
    const { define } = own.CustomElementRegistry.prototype;
    own.CustomElementRegistry.prototype.define = { define(name, type, ...rest) {
      const proto = typeof type === "function" && type.prototype, told = proto?.attributeChangedCallback;
      if (typeof told !== "function") return define.call(this, name, type, ...rest);
      const theirs = descriptor(proto, "attributeChangedCallback");
      proto.attributeChangedCallback = function (name, before, now, ...rest) { return told.call(this, name, shown(before), shown(now), ...rest); };
      try { return define.call(this, name, type, ...rest); } finally {
        delete proto.attributeChangedCallback;
        if (theirs) Object.defineProperty(proto, "attributeChangedCallback", theirs);
      }
    } }.define;

    // Styles.
    for (const type of ["CSSStyleDeclaration", "CSSStyleProperties", "CSSRule"]) {
      reading(type, "cssText", shown);
      for (const name of ["getPropertyValue", "setProperty", "removeProperty", "getPropertyPriority", "item"]) calling(type, name, shown);
    }
    reading("CSSStyleSheet", "href", (address) => address || null);
    reading("CSSImportRule", "href", shown);
    const styled = (style) => {
      if (!style) return style;
      if (!proxies.has(style)) {
        const proxy = new own.Proxy(style, {
          get: (_, name) => shown(style[name]),
          set(_, name, value) { style[name] = typeof value === "string" ? wombat.rewriteStyle(value) : value; return true; },
        });
        proxies.set(style, proxy);
        real.set(proxy, style);
      }
      return proxies.get(style);
    };
    for (const type of ["HTMLElement", "SVGElement", "CSSStyleRule"]) reading(type, "style", styled, told[type + ".style"]);
    const { getComputedStyle } = own;
    own.getComputedStyle = { getComputedStyle(...given) { return styled(getComputedStyle.apply(this, given)); } }.getComputedStyle;
  };

  kind.varveFill(fill);
})();
