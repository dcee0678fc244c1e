// Adds browser behaviour that wombat lacks: refusing what browsers refuse, and exposing what browsers expose about elements and answers.
// It runs after wombat and the other additions, in every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveEdges) return;
  kind._varveEdges = true;
  const descriptor = Object.getOwnPropertyDescriptor, home = new wombat.URL(wombat.wb_info.url);

  const fill = (wombat) => {
    const own = wombat.$wbwindow, page = own.document;
    const changed = (object, name, change) => {
      const d = object && descriptor(object, name);
      if (d?.configurable) Object.defineProperty(object, name, { ...d, ...change(d) });
    };
    // strange reports whether an address is invalid. wombat would make it valid by its prefix.
    const strange = (address) => {
      try { return !new wombat.URL(address, page.baseURI); } catch { return true; }
    };
    const checked = (object, name, at, error) => changed(object, name, ({ value }) => ({
      value: { [name](...given) {
        if (given.length > at && typeof given[at] !== "object" && strange(given[at]) && given[at] !== "") return error(given[at]);
        return value.apply(this, given);
      } }[name],
    }));
    const thrown = (text, name) => (address) => { throw new own.DOMException(`${text} '${address}'`, name); };
    checked(own, "fetch", 0, () => own.Promise.reject(new own.TypeError("Failed to fetch")));
    checked(own.XMLHttpRequest.prototype, "open", 1, thrown("Invalid URL", "SyntaxError"));
    checked(own, "open", 0, thrown("invalid URL", "SyntaxError"));
    const place = own.WB_wombat_location;
    for (const name of ["assign", "replace"]) {
      const go = place[name];
      place[name] = { [name](to) { return strange(to) ? thrown("not a valid URL", "SyntaxError")(to) : go.call(this, to); } }[name];
    }
    own.Request = new own.Proxy(own.Request, {
      construct(f, [of, ...rest], target) {
        if (typeof of === "string" && strange(of)) throw new own.TypeError("Invalid URL " + of);
        const led = of instanceof own.Request && (of.__WB_no_unrewrite = true); // its body can be read once
        try { return Reflect.construct(f, [kind.varveUnmade(of), ...rest], target); } finally { if (led) of.__WB_no_unrewrite = false; }
      },
    });
    changed(own.Response, "redirect", ({ value }) => ({
      value: { redirect(to, ...rest) { return value.call(own.Response, strange(to) ? to : new wombat.URL(to, page.baseURI).href, ...rest); } }.redirect,
    }));

    changed(own.Response.prototype, "type", ({ get }) => ({
      get() { return get.call(this) === "basic" && /^http/.test(this.url) && new wombat.URL(this.url).origin !== home.origin ? "cors" : get.call(this); },
    }));

    // The page's storages replace the browser's, but an event only accepts the browser's, and wombat removes the listeners from the
    // window.
    const area = Symbol();
    own.StorageEvent = new own.Proxy(own.StorageEvent, {
      construct(f, given, target) {
        const init = given[1], event = Reflect.construct(f, init ? [given[0], { ...init, storageArea: null }] : given, target);
        if (init) event[area] = init.storageArea;
        return event;
      },
    });
    changed(own.StorageEvent.prototype, "storageArea", ({ get }) => ({ get() { return this[area] || get.call(this); } }));
    changed(own.EventTarget.prototype, "dispatchEvent", ({ value }) => ({
      value: { dispatchEvent(event) {
        const target = wombat.proxyToObj(this) || own;
        if (target === own && event.type === "storage") wombat.storage_listeners.map(event);
        return value.call(target, event);
      } }.dispatchEvent,
    }));

    changed(own, "isSecureContext", () => ({ get: () => home.protocol === "https:" || /(^|\.)localhost$|^127\./.test(home.hostname) }));
    changed(page, "domain", ({ get, set }) => ({
      set(value) {
        const to = String(value).toLowerCase(), host = get.call(page);
        const why = !to ? "is an empty domain" : to === host ? "" : !("." + host).endsWith("." + to) ? `is not a suffix of '${host}'`
          : to.includes(".") ? "" : "is a top-level domain";
        if (why) throw new own.DOMException(`Failed to set the 'domain' property on 'Document': '${to}' ${why}.`, "SecurityError");
        set.call(page, to);
      },
    }));
    changed(page, "cookie", ({ set }) => ({
      set(cookie) { // for another domain, or for https only
        const [, ...said] = String(cookie).toLowerCase().split(/\s*;\s*/), domains = said.map((s) => /^domain\s*=\s*\.?(.*)/.exec(s)).filter(Boolean);
        const domain = domains.length > 0 && domains.pop()[1], { protocol, hostname: host } = home;
        if (domain && domain !== host && !(domain.includes(".") && host.endsWith("." + domain))) return;
        if (protocol === "https:" || !said.includes("secure")) set.call(page, cookie);
      },
    }));
    changed(own.HTMLObjectElement.prototype, "contentWindow", ({ get }) => ({ get() { return wombat.objToProxy(get.call(this)); } }));

    // Attributes that would keep elements from loading were renamed.
    const { getAttribute, hasAttribute } = own.Element.prototype, renamed = /^(?:integrity|crossorigin|nonce)$/i;
    const was = (e, name) => wombat.wb_getAttribute.call(e, "_" + name);
    own.Element.prototype.getAttribute = { getAttribute(name) {
      return getAttribute.apply(this, arguments) ?? (renamed.test(name) ? was(this, name) : null);
    } }.getAttribute;
    own.Element.prototype.hasAttribute = { hasAttribute(name) { return hasAttribute.apply(this, arguments) || renamed.test(name) && was(this, name) !== null; } }.hasAttribute;
    for (const type of ["Image", "Link", "Media", "Script"]) {
      const proto = own[`HTML${type}Element`].prototype;
      changed(proto, "crossOrigin", ({ get }) => ({
        get() {
          const said = was(this, "crossorigin");
          return get.call(this) ?? (said === null ? null : /^use-credentials$/i.test(said) ? "use-credentials" : "anonymous");
        },
      }));
      changed(proto, "integrity", ({ get }) => ({ get() { return get.call(this) || was(this, "integrity") || ""; } }));
    }
    changed(own.HTMLElement.prototype, "nonce", ({ get }) => ({ get() { return get.call(this) || was(this, "nonce") || ""; } }));
    for (const name of ["name", "localName"]) changed(own.Attr.prototype, name, ({ get }) => ({ get() { return get.call(this).replace(/^_(?=integrity$|crossorigin$|nonce$)/, ""); } }));
  };

  kind.varveFill(fill);
})();
