// Rewrites what wombat doesn't: functions through which a page's script would request something from its server's root, which the policy
// refuses. It runs after wombat, in every window that wombat starts in.
(() => {
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat), worker = window._varveWorker;
  if (!kind || kind._varveGaps) return;

  // around replaces a function by one that gets the native function and its arguments.
  const around = (object, name, replacement) => {
    const native = object?.[name];
    if (!native) return;
    object[name] = function (...given) { return replacement.call(this, native, given); };
  };

  around(window.Storage.prototype, "setItem", function (set, [name, value]) { set.call(this, name, String(value)); });

  // Requests of scripts have a modifier of their own, as browsers don't always say who makes a request. They go directly to the host at
  // which the resource is replayed, as scripts notice redirects.
  let asking = false;
  const ask = (how, given) => { asking = true; try { return Reflect[how](...given); } finally { asking = false; } };
  const rewrite = kind.rewriteUrl;
  kind.rewriteUrl = function (given, ...rest) {
    if (!asking) return rewrite.call(this, given, ...rest);
    asking = false; // the next address is not that of a request
    const { home, archived } = window._varveHosts;
    try {
      const u = new this.URL(archived(given) || given, this.$wbwindow.document.baseURI);
      if (/^http/.test(u) && !u.href.startsWith(this.wb_abs_prefix)) return `${home(u.origin)}${this.wb_info.wombat_ts}wkrf_/${u.href}`;
    } catch {} // the browser reports the error
    return rewrite.call(this, given, ...rest);
  };

  const fill = (wombat) => {
    const own = wombat.$wbwindow, page = own.document, css = (text) => wombat.rewriteStyle(text), html = (text) => wombat.rewriteHtml(String(text), true);
    // A form's fields hide its properties, such as children.
    wombat.recurseRewriteElem = (of) => {
      const walk = page.createTreeWalker(of, 1);
      let changed;
      while (walk.nextNode()) changed = wombat.rewriteElem(walk.currentNode) || changed;
      return changed;
    };
    const first = (rewrite) => function (native, [text, ...rest]) { return native.call(this, rewrite(String(text)), ...rest); };

    around(own.Element.prototype, "setAttributeNS", function (native, given) {
      const [space, name, value] = given;
      if (space || name !== String(name).toLowerCase()) return native.apply(this, given);
      this.setAttribute(name, String(value));
    });
    for (const object of [own.Element, own.ShadowRoot]) around(object?.prototype, "setHTMLUnsafe", first(html));
    around(own.Document, "parseHTMLUnsafe", first(html));
    for (const name of ["replace", "replaceSync"]) around(own.CSSStyleSheet.prototype, name, first(css));
    around(own.CSSGroupingRule?.prototype, "insertRule", first(css));
    for (const name of ["set", "append"]) {
      around(own.StylePropertyMap?.prototype, name, function (native, [property, ...values]) {
        return native.call(this, property, ...values.map((value) => (typeof value === "string" ? css(value) : value)));
      });
    }

    // Other names are those of import maps. Browsers without options of import() can't read it.
    const { Function: Made } = own;
    own.____wb_rewrite_import__ = (base, specifier, ...options) => {
      const to = /^(\.{0,2}\/|https?:)/.test(specifier)
        ? wombat.rewriteUrl(new wombat.URL(specifier, base ? wombat.extractOriginalURL(base) : page.baseURI).href, false, "esm_") : specifier;
      return options.length ? Made("a,b", "return import(a,b)")(to, ...options) : import(to);
    };

    const place = own.WB_wombat_location; // pages copy it
    for (const name in place) if (/^_/.test(name)) Object.defineProperty(place, name, { enumerable: false });
    // wombat remembers what a script sets and ignores it a second time, wherever the window is by then.
    for (const name of wombat.URL_PROPS) {
      const own = Object.getOwnPropertyDescriptor(place, name), known = () => wombat.setLoc(place, place._orig_loc.href);
      Object.defineProperty(place, name, { ...own, set(to) { known(); own.set.call(place, String(to)); known(); } });
    }
    // wombat doesn't load the address that the window has. One that a script has written there was not loaded yet. An address without a
    // folder is one beside the page whose script leads a frame, as only the browser knows.
    const { href: loaded } = own.location, href = Object.getOwnPropertyDescriptor(place, "href"), beside = /^(?!\.\.|[\w.+-]+:)[^\s/\\#]/;
    const load = (native, to, name) => {
      const { href, hash } = own.location;
      to = String(to);
      if (own === own.parent && /^javascript:/i.test(to)) to += "%0A;void 0"; // as in inside.js
      if (own !== own.parent && beside.test(to)) own.location[name](to);
      else if (href !== loaded && !hash && href === wombat.rewriteUrl(to)) own.location.reload();
      else native.call(place, to);
    };
    for (const name of ["assign", "replace"]) around(place, name, (native, [to]) => load(native, to, name));
    Object.defineProperty(place, "href", { ...href, set(to) { load(href.set, to, "assign"); } });

    // What an editor inserts.
    around(own.Document.prototype, "execCommand", function (native, [name, shows, value]) {
      const made = !value ? value : /^inserthtml$/i.test(name) ? html(value) : /^(insertimage|createlink)$/i.test(name) ? wombat.rewriteUrl(value) : value;
      return native.call(this, name, shows, made);
    });

    // Functions of arrays keep what they are given. wombat gives the browser's functions the objects behind its own.
    const keep = new Set(Object.getOwnPropertyNames(Array.prototype).map((name) => own.Array.prototype[name]));
    const isNative = wombat.isNativeFunction.bind(wombat); // around would call itself
    wombat.isNativeFunction = (f) => !keep.has(f) && isNative(f);

    // A window in an event is replaced by the one that the page knows.
    const seen = (value) => (value?.window === value ? wombat.objToProxy(value) : value);
    for (const name of ["currentTarget", "srcElement"]) wombat.overridePropToProxy(own.Event.prototype, name);
    around(own.Event.prototype, "composedPath", function (native) { return native.call(this).map(seen); });

    // The address that an element returns is normalized: that of href="https://a.example" ends with a slash. wombat's is the text after
    // the archive's prefix.
    const whole = (address) => {
      try {
        if (address.includes("_varve_")) return kind.varveWritten(address);
        if (!/^https?:/.test(address) || address.startsWith(wombat.wb_info.static_prefix)) return address;
        const there = new own.URL(address), { origin } = new own.URL(wombat.wb_abs_prefix); // in a document that a parser has made
        return there.origin === origin ? new own.URL(there.href.slice(origin.length), wombat.wb_info.url).href : there.href;
      } catch { return address; }
    };
    const addresses = {
      href: ["Anchor", "Area", "Base", "Link"], action: ["Form"], data: ["Object"], cite: ["Quote", "Mod"],
      src: ["Audio", "Embed", "Frame", "IFrame", "Image", "Input", "Media", "Script", "Source", "Track", "Video"],
    };
    const written = new RegExp(`^\\s*(?:/~|${new own.URL(wombat.wb_abs_prefix).pathname})`);
    for (const [property, kinds] of Object.entries(addresses)) {
      for (const tag of kinds) {
        const proto = own[`HTML${tag}Element`]?.prototype, told = proto && Object.getOwnPropertyDescriptor(proto, property);
        if (!told?.get || !told.configurable) continue;
        Object.defineProperty(proto, property, {
          ...told,
          get() {
            const stands = wombat.wb_getAttribute.call(this, property);
            if (tag !== "Base" && stands && written.test(stands) && !this._no_rewrite) { // by the server
              try { return new wombat.URL(this.getAttribute(property), this.baseURI).href; } catch { /* what is no address is told as it is */ }
            }
            return whole(told.get.call(this));
          },
        });
      }
    }

    // Properties that may contain a picture and that wombat doesn't rewrite.
    const pictured = ["content", "mask", "webkitMask", "webkitMaskImage", "clipPath", "filter", "backdropFilter", "shapeOutside", "webkitBoxReflect"]
      .map((name) => [name, name.replace(/[A-Z]/g, "-$&").replace("webkit", "-webkit").toLowerCase()]);
    wombat.overrideStyleProxy(pictured.flat());
    const { prototype: style } = own.CSSStyleProperties || own.CSSStyleDeclaration;
    for (const [attribute, property] of pictured) wombat.overrideStyleAttr(style, attribute, property);

    // wombat's constructors of workers can be called without new, unless it is for the window. Windows that share a worker may be of
    // different days: each worker is of the day of the page that made it.
    let day = "";
    for (const name of ["Worker", "SharedWorker"]) {
      if (!own[name]) continue;
      Object.defineProperty(own[name], "name", { value: name, configurable: true });
      own[name] = own[name].prototype.constructor = new Proxy(own[name], {
        apply: (create) => create.call(own),
        construct(...given) {
          try { day = own.top.wbinfo.wombat_ts; } catch { /* another site's page */ }
          try { return Reflect.construct(...given); } finally { day = ""; }
        },
      });
    }
    around(wombat, "rewriteWorker", function (native, given) {
      const address = native.apply(wombat, given);
      return day ? String(address).replace("/" + wombat.wb_info.wombat_ts + "wkr", "/" + day + "wkr") : address;
    });

    // Where a script follows a link or the history by itself and what it requests of the page's site was not captured, the captured page is
    // opened.
    const { fetch, performance } = own;
    let click = {}, link;
    own.addEventListener("click", (e) => { click = e; link = e.composedPath().find((node) => node.localName === "a"); }, true);
    own.addEventListener("popstate", (e) => { if (e.state) click = e, link = place; }); // without one it may be a link within the page
    const lacks = async ({ status, url }, time) => {
      if (!link || click.defaultPrevented !== click.cancelable || status !== 404 || time || performance.now() - click.timeStamp > 3000) return;
      try {
        const { href } = link, to = wombat.rewriteUrl(href), back = link === place;
        if (!url.includes(new wombat.URL(href).origin + "/")) return;
        link = null;
        const { ok, headers } = await fetch(to, { method: "HEAD" });
        if (!ok || !/html/.test(headers.get("Content-Type"))) return;
        if (back || own.location.href === to) {
          // A reload would keep one document for this entry and the others. The site isn't told of the address in between.
          own.History.prototype.replaceState.call(own.history, null, "", to.replace(/#|$/, "?"));
          return own.location.replace(to);
        }
        own.history.pushState = () => {}; // no entry for the error between the two pages
        own.addEventListener("pageshow", (e) => { if (e.persisted) own.location.reload(); }); // nor on the way back
        own.location = to;
      } catch { /* the link has no address, or it can't be asked for */ }
    };

    const asks = (f) => f && new Proxy(f, {
      apply: (f, that, given) => {
        const answer = ask("apply", [f, that, given[1] && given[0] instanceof own.Request ? [new own.Request(...given)] : given]);
        if (link && answer?.then) answer.then((r) => lacks(r, r.headers.get("Memento-Datetime")), () => {});
        return answer;
      },
      construct: (...given) => ask("construct", given),
    });
    for (const name of ["fetch", "Request", "EventSource"]) {
      const f = own[name] = asks(own[name]);
      if (f?.prototype) f.prototype.constructor = f;
    }
    const { prototype: xhr } = own.XMLHttpRequest;
    xhr.open = asks(xhr.open);
    around(xhr, "send", function (native, given) {
      const told = () => lacks({ status: this.status, url: this.responseURL }, this.getResponseHeader("Memento-Datetime"));
      if (link) this.addEventListener("load", told, { once: true });
      return native.apply(this, given);
    });
    // wombat's mark would make browsers ask other hosts first.
    around(xhr, "setRequestHeader", function (native, given) {
      if (!/^X-Pywb-/.test(given[0])) return native.apply(this, given);
    });

    // wombat's WebSocket reports that it is open and never answers, for which pages wait. This one fails as with a dead server.
    own.WebSocket = class WebSocket extends own.EventTarget {
      #state = 0;
      #url;
      constructor(url) {
        super();
        if (arguments.length === 0) throw new own.TypeError("1 argument required");
        try { this.#url = new own.URL(url, wombat.wb_info.url).href.replace(/^http/, "ws"); } catch { this.#url = "x:"; }
        if (!/^wss?:[^#]*$/.test(this.#url)) throw new own.DOMException("invalid URL", "SyntaxError");
        own.setTimeout(() => this.#end(), 10);
      }
      #end() {
        this.#state = 3;
        for (const event of [new own.Event("error"), new own.CloseEvent("close", { code: 1006 })]) {
          if (typeof this["on" + event.type] === "function") this.addEventListener(event.type, this["on" + event.type], { once: true });
          this.dispatchEvent(event);
        }
      }
      get readyState() { return this.#state; }
      get url() { return this.#url; }
      send() { if (this.#state === 0) throw new own.DOMException("connecting", "InvalidStateError"); }
      close() { if (this.#state === 0) this.#state = 2; }
    };
    const socket = { protocol: "", extensions: "", bufferedAmount: 0, binaryType: "blob", onopen: null, onmessage: null, onerror: null, onclose: null };
    Object.assign(own.WebSocket.prototype, socket);
    ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].forEach((name, value) => {
      for (const at of [own.WebSocket, own.WebSocket.prototype]) Object.defineProperty(at, name, { value, enumerable: true });
    });

    // document.referrer, as browsers set it today: for another origin only the origin. wombat sets it in frames only, and knows no other
    // host than this one.
    const { get: referrer } = Object.getOwnPropertyDescriptor(own.Document.prototype, "referrer");
    const known = Object.getOwnPropertyDescriptor(page, "referrer");
    Object.defineProperty(page, "referrer", {
      get() {
        const from = window._varveHosts.archived(referrer.call(page));
        if (!from) return own.parent !== own && known?.get ? known.get.call(page) : "";
        const there = new wombat.URL(from), here = new wombat.URL(wombat.wb_info.url);
        if (there.origin === here.origin && own.location.href !== "about:srcdoc") return there.href; // browsers tell srcdoc the origin only
        return there.protocol === "https:" && here.protocol === "http:" ? "" : there.origin + "/";
      },
      configurable: true, enumerable: true,
    });

    // A referrer policy that sends only the origin would send the archive's. So the full address is sent, and the getter above reduces it
    // to what the other page may know.
    const telling = /^((strict-)?origin(-when-cross-origin)?|no-referrer-when-downgrade)$/i, policies = new WeakMap();
    for (const kind of ["Anchor", "Area", "IFrame"]) {
      const proto = own[`HTML${kind}Element`].prototype, policy = Object.getOwnPropertyDescriptor(proto, "referrerPolicy");
      if (!policy?.set) continue;
      Object.defineProperty(proto, "referrerPolicy", {
        ...policy,
        get() { return policies.get(this) || policy.get.call(this); },
        set(value) {
          const tells = telling.test(value);
          tells ? policies.set(this, String(value).toLowerCase()) : policies.delete(this);
          policy.set.call(this, tells ? "unsafe-url" : value);
        },
      });
    }

    // wombat starts workers of blobs and data with less code than those that have an address.
    around(wombat, "rewriteWorker", function (native, [address, options]) {
      if (!/^(blob|data):/i.test(address)) return native.call(wombat, address, options);
      const { wb_abs_prefix: prefix, wb_info: { wombat_ts: time, url, apart } } = wombat, module = options?.type === "module";
      const to = (specifier, modifier) => wombat.rewriteUrl(specifier, false, modifier);
      return worker.begun(String(address), module, { prefix, apart, time, home: new wombat.URL(url).origin, to });
    });
  };

  // A frame that a page gets by its index is the same object as by its element.
  const get = kind.defaultProxyGet;
  kind.defaultProxyGet = function (object, name, ...given) {
    const value = get.call(this, object, name, ...given);
    return typeof value === "object" && typeof name === "string" && /^\d+$/.test(name) ? this.objToProxy(value) : value;
  };
  kind._varveGaps = true;
  kind.varveFill(fill);
})();
