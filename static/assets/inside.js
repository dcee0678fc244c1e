// The last safeguard of replay. If a page navigates to an address that nothing rewrote (by a handler it generated, a refresh it added, a
// script that wombat never saw), this leads it into the archive. A Content-Security-Policy limits requests but not navigation. It runs
// before any script of the page and takes the browser's functions then, because the page may alter them later. In browsers without the
// Navigation API it covers links and windows only.
(() => {
  "use strict";
  const me = document.currentScript;
  // prefix ends in /web/, to is the prefix that leads to a URI-R, url is the URI-R of this page.
  const { prefix, to, url, apart } = me.dataset;
  const { origin } = new URL(prefix), home = prefix.replace(/[^/]+\/$/, "");

  const { call, bind } = Function.prototype, free = bind.bind(call); // without a look at what they may be later
  const getter = (proto, name) => free(Object.getOwnPropertyDescriptor(proto, name).get);
  const startsWith = free("".startsWith), slice = free("".slice), lower = free("".toLowerCase), includes = free("".includes), indexOf = free("".indexOf);
  const has = free(Set.prototype.has), add = free(Set.prototype.add), prevent = free(Event.prototype.preventDefault);
  const href = getter(URL.prototype, "href"), baseURI = getter(Node.prototype, "baseURI"), AnyURL = URL, text = String;
  const attribute = free(Element.prototype.getAttribute), setAttribute = free(Element.prototype.setAttribute);
  const attributeNS = free(Element.prototype.getAttributeNS), localName = getter(Element.prototype, "localName");
  const xlink = "http://www.w3.org/1999/xlink", space = getter(Element.prototype, "namespaceURI");
  const hrefOf = getter(SVGAElement.prototype, "href"), animated = getter(SVGAnimatedString.prototype, "animVal");

  // ofAnother reports whether another archived origin is replayed at an address: at apart, with a label instead of its "*".
  const star = apart.indexOf("*"), before = apart.slice(0, star), after = apart.slice(star + 1), labelLength = 26;
  const ofAnother = (address) => {
    if (star < 0 || !startsWith(address, before) || !startsWith(slice(address, star + labelLength), after)) return false;
    for (let i = star; i < star + labelLength; i++) if (address[i] === "/" || address[i] === ":" || address[i] === "@") return false;
    return true;
  };

  // archived returns the address inside the archive for an address: "" if it is already inside or isn't a web address, null if it must
  // not be followed, because it leads to a document without this safeguard.
  const archived = (address) => {
    if (startsWith(address, "blob:")) return isMade(withoutFragment(address)) ? "" : null;
    // A text would become a document without this safeguard, even of a statement that ends in an operator. An address that is looked at
    // again ends so already.
    if (startsWith(address, "javascript:")) return slice(address, -10) === "%0A;void 0" ? "" : address + "%0A;void 0";
    if (!startsWith(address, "http:") && !startsWith(address, "https:")) return "";
    if (startsWith(address, prefix) || address === home || ofAnother(address)) return "";
    return to + (startsWith(address, origin + "/") ? href(new AnyURL(slice(address, origin.length), url)) : address);
  };
  const resolved = (address, node) => {
    try { return href(new AnyURL(address, baseURI(node))); } catch { return ""; } // the browser reports what is wrong with it
  };

  // Documents that a page creates get this script as their first one. In XML it is harder to find a place for it, so such a document can
  // be shown in a frame, where the policy applies, but not in a window.
  const made = new Set(), again = me.cloneNode();
  again.setAttribute("src", me.src);
  const prelude = again.outerHTML, createURL = free(URL.createObjectURL), AnyBlob = Blob, XHR = XMLHttpRequest;
  const typeOf = getter(Blob.prototype, "type"), cut = free(Blob.prototype.slice);
  const withoutFragment = (address) => slice(address, 0, indexOf(address + "#", "#"));
  // beginning returns it as Latin-1, or nothing if it can't be read.
  const beginning = (blob) => {
    try {
      const request = new XHR(), at = createURL(URL, cut(blob, 0, 1024));
      request.open("GET", at, false);
      request.overrideMimeType("text/plain; charset=iso-8859-15");
      request.send();
      return request.responseText;
    } catch { return ""; }
  };
  // A page may lead its frame to a document that it has made. The frame's data are read before the scripts of that document run.
  const parentOf = getter(self, "parent");
  Object.defineProperty(self, "_varveMadeHere", { value: (address) => has(made, address) });
  const isMade = (address) => {
    try {
      for (let w = self, around; ; w = around) {
        if (w._varveMadeHere(address)) return true;
        around = parentOf(w);
        if (around === w) return false;
      }
    } catch { return false; } // a window of another origin, or one without this safety net
  };
  const guarded = (blob) => {
    const type = lower(typeOf(blob)), start = beginning(blob);
    if (/^(\xfe\xff|\xff\xfe)/.test(start) || /charset=(?!["']?(utf-8|us-ascii|iso-8859-\d+|windows-\d+))/.test(type)) {
      return new AnyBlob([blob], { type: "text/plain" }); // could hide the script
    }
    const place = (/^(?:\xef\xbb\xbf)?\s*(?:<!--(?:[^-]|-[^-])*-->\s*)*<!doctype[^>]*>/i.exec(start) || [""])[0].length;
    return new AnyBlob([cut(blob, 0, place), prelude, cut(blob, place)], { type });
  };

  // held reports whether the browser holds windows that begin empty, which fire no event when they navigate: whether it enforces
  // Connection-Allowlist, whose list has no address with the name of a user.
  const open = free(XHR.prototype.open), send = free(XHR.prototype.send), framed = getter(HTMLIFrameElement.prototype, "contentWindow");
  const ask = (user) => {
    const request = new XHR();
    open(request, "HEAD", me.src, false, user);
    send(request);
  };
  const held = () => {
    try { ask(); } catch { return false; } // nothing can be asked for, for another reason
    try { ask("-"); } catch { return true; }
    return false;
  };

  // The address bar is what a reader can trust on a page that can draw anything. As on the live web, scripts change it within the page's
  // own origin only, and they can't change the datetime.
  const siteOf = (address) => {
    const [, rest] = /^([^/]*\/(?:[a-z]+:)?\/*[^/]*\/)/i.exec(slice(address, prefix.length)) || [];
    return startsWith(address, prefix) && rest ? prefix + rest : null;
  };
  const sites = [siteOf(document.URL), siteOf(to + url)], documentURL = getter(Document.prototype, "URL");
  const honest = (address) => {
    for (let i = 0; i < sites.length; i++) if (sites[i] && startsWith(address, sites[i])) return true;
    return !startsWith(address, origin + "/");
  };
  const keepAddress = (w) => {
    const { document: page, history } = w, replace = free(w.History.prototype.replaceState), state = getter(w.History.prototype, "state");
    let last = documentURL(document);
    w.navigation.addEventListener("currententrychange", () => {
      const now = documentURL(page);
      if (honest(now) || withoutFragment(now) === withoutFragment(last)) last = now;
      else replace(history, state(history), "", last);
    });
  };

  // frameNamed reports whether a window of that name exists already, as a frame of the document.
  const byName = free(Document.prototype.getElementsByName), isConnected = getter(Node.prototype, "isConnected");
  const frameNamed = (page, name) => {
    const all = typeof name === "string" && name !== "" && name[0] !== "_" ? byName(page, name) : [];
    for (let i = 0; i < all.length; i++) if (localName(all[i]) === "iframe" && isConnected(all[i])) return true;
    return false;
  };

  const watched = new WeakSet();
  const guard = (w) => {
    if (!w || watched.has(w)) return;
    watched.add(w);
    const go = w.location.assign.bind(w.location), open = free(w.open);
    if (w.navigation) {
      if (w === w.top) keepAddress(w);
      const uncancelable = getter(w.Event.prototype, "cancelable"), destination = getter(w.NavigateEvent.prototype, "destination");
      const same = getter(w.NavigationDestination.prototype, "sameDocument"), address = getter(w.NavigationDestination.prototype, "url");
      const download = getter(w.NavigateEvent.prototype, "downloadRequest");
      w.navigation.addEventListener("navigate", (e) => {
        const there = destination(e);
        if (!uncancelable(e) || same(there) || download(e) !== null) return;
        const inside = archived(address(there));
        if (inside === "") return;
        prevent(e);
        if (inside !== null) go(inside);
      });
    }
    w.open = function (address, ...rest) {
      const asked = address === undefined ? "" : text(address);
      const full = asked === "" ? "about:blank" : resolved(asked, w.document), inside = archived(full);
      const there = !rest[1] && frameNamed(w.document, rest[0]);
      if (inside === null || full === "about:blank" && !there && !held()) return null;
      const opened = open(this || w, inside || asked, ...rest);
      fresh(opened);
      return opened;
    };

    // A link may open a new window, which fires no event here. follow fails if it gets no element.
    const follow = (node, refuse) => {
      const name = localName(node), isMath = includes(space(node), "Math"); // any element of MathML may be a link, in Firefox
      if (name !== "a" && name !== "area" && !isMath) return;
      const asked = attribute(node, "href") ?? attributeNS(node, xlink, "href");
      let inside = asked === null ? "" : archived(resolved(asked, node));
      if (inside === null) refuse();
      if (attribute(node, "download") !== null) inside = (inside || asked)?.replace(/\d{14}(?=\/)/, "$&mp_"); // what is saved has no banner
      if (inside) setAttribute(node, "href", inside);
      try { if (archived(resolved(animated(hrefOf(node)), node)) !== "") refuse(); } catch { /* no link of SVG, which an animation may lead on */ }
    };
    const path = free(w.Event.prototype.composedPath), kind = getter(w.Event.prototype, "type");
    const stop = free(w.Event.prototype.stopImmediatePropagation), listenTo = free(w.EventTarget.prototype.addEventListener);
    const watch = (e) => {
      const nodes = path(e);
      let link = false;
      for (let i = 0; i < nodes.length; i++) {
        try {
          follow(nodes[i], () => prevent(e));
          const name = localName(nodes[i]);
          if (name === "a") link = true;
          if (name === "varve-banner" && link) stop(e); // the page must not control where links of the banner lead
        } catch { /* not an element */ }
      }
    };
    const listen = () => {
      listenTo(w, "click", watch, true);
      listenTo(w, "auxclick", watch, true);
      listenTo(w, "contextmenu", watch, true);
    };
    listen();
    new w.MutationObserver(listen).observe(w.document, { childList: true }); // document.open removes all listeners
    const click = free(w.HTMLElement.prototype.click);
    w.HTMLElement.prototype.click = function () {
      let refused = false;
      try { follow(this, () => { refused = true; }); } catch { /* not an element: the browser reports it */ }
      if (!refused) click(this);
    };
    const dispatch = free(w.EventTarget.prototype.dispatchEvent);
    w.EventTarget.prototype.dispatchEvent = function (e) { // on an element outside of any document
      try { if (kind(e) === "click") follow(this, () => prevent(e)); } catch { /* not an element or not an event: the browser reports it */ }
      return dispatch(this || w, e);
    };

    const create = free(w.URL.createObjectURL);
    w.URL.createObjectURL = function (blob) {
      let type = "xml";
      try { type = lower(typeOf(blob)); } catch { return create(w.URL, blob); } // a MediaSource
      const address = create(w.URL, startsWith(type, "text/html") ? guarded(blob) : blob);
      // With an unknown type, browsers look for a page in the blob.
      if (includes(type, "/") && !includes(type, "xml") && !includes(type, "unknown") && !includes(type, "*")) add(made, address);
      return address;
    };
    limitCookies(w);
    // No policy limits these. A loop would go through what the page made of arrays.
    delete w.RTCPeerConnection;
    delete w.webkitRTCPeerConnection;
    delete w.WebTransport;
  };

  // fresh guards a window that begins empty, if this page may access it.
  const fresh = (w) => {
    try {
      if (!w || watched.has(w) || w.location.href !== "about:blank") return;
      guard(w);
    } catch { /* a window of another origin */ }
  };
  for (const name of ["contentWindow", "contentDocument"]) {
    const proto = HTMLIFrameElement.prototype, own = Object.getOwnPropertyDescriptor(proto, name), get = free(own.get);
    Object.defineProperty(proto, name, { ...own, get() { fresh(framed(this)); return get(this); } });
  }

  // Limits cookies to the collection and this host, and hides varve's. It also applies to scripts that bypass wombat.
  const path = new URL(prefix).pathname, own = /^\s*varve-/i;
  const scoped = (cookie) => {
    const [pair, ...attributes] = String(cookie).split(";"), kept = attributes.filter((a) => !/^\s*(domain|path)\s*(=|$)/i.test(a));
    const asked = attributes.map((a) => /^\s*path\s*=\s*(.*?)\s*$/i.exec(a)).filter(Boolean).pop();
    if (asked) kept.push(" path=" + (asked[1].startsWith(path) ? asked[1] : path));
    return [pair, ...kept].join(";");
  };
  const limitCookies = (w) => {
    const cookies = Object.getOwnPropertyDescriptor(w.Document.prototype, "cookie");
    if (cookies) {
      Object.defineProperty(w.Document.prototype, "cookie", {
        ...cookies,
        get() { return cookies.get.call(this).split("; ").filter((c) => !own.test(c)).join("; "); },
        set(cookie) { if (!own.test(cookie)) cookies.set.call(this, scoped(cookie)); },
      });
    }
    if (!w.CookieStore) return;
    for (const name of ["set", "delete"]) {
      const native = w.CookieStore.prototype[name];
      w.CookieStore.prototype[name] = async function (cookie, value) {
        const named = { name: String(cookie), ...(name === "set" && { value: String(value) }) };
        const o = typeof cookie === "object" && cookie !== null ? { ...cookie } : named;
        if (own.test(o.name)) return;
        o.domain = null;
        if (!String(o.path || "").startsWith(path)) o.path = path;
        return native.call(this, o);
      };
    }
  };

  guard(window);
})();
