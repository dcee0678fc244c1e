// The last safety net of replay. If a page navigates to an address that nothing rewrote (by a handler it generated, a
// refresh it added, a script that wombat never saw), this leads it into the archive. A Content-Security-Policy limits
// what a page requests but not where it navigates. Browsers without the Navigation API have no such net.
(() => {
  "use strict";
  const { prefix, to, url } = document.currentScript.dataset; // …/web/, the prefix that leads to a URI-R, the URI-R of this page
  const { origin } = new URL(prefix), go = location.assign.bind(location), open = window.open;
  const base = Object.getOwnPropertyDescriptor(Node.prototype, "baseURI").get.bind(document); // wombat answers with the page's own
  const home = prefix.replace(/[^/]+\/$/, "");

  // archived returns the address inside the archive that stands for an address, "" if it is inside already or not http.
  const archived = (address) => {
    if (!/^https?:/.test(address) || address.startsWith(prefix) || address === home) return "";
    return to + (address.startsWith(origin + "/") ? new URL(address.slice(origin.length), url).href : address);
  };

  if (window.navigation) {
    navigation.addEventListener("navigate", (e) => {
      if (!e.cancelable || e.destination.sameDocument || e.downloadRequest !== null) return;
      const inside = archived(e.destination.url);
      if (!inside) return;
      e.preventDefault();
      go(inside);
    });
  }
  // Limits cookies to the collection and this host, and hides varve's. A script that gets around wombat meets these limits.
  const path = new URL(prefix).pathname, own = /^\s*varve-/i;
  const scoped = (cookie) => {
    const [pair, ...attributes] = String(cookie).split(";"), kept = attributes.filter((a) => !/^\s*(?:domain|path)\s*(?:=|$)/i.test(a));
    const asked = attributes.map((a) => /^\s*path\s*=\s*(.*?)\s*$/i.exec(a)).filter(Boolean).pop();
    if (asked) kept.push(" path=" + (asked[1].startsWith(path) ? asked[1] : path));
    return [pair, ...kept].join(";");
  };
  const cookies = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  if (cookies) {
    Object.defineProperty(Document.prototype, "cookie", {
      ...cookies,
      get() { return cookies.get.call(this).split("; ").filter((c) => !own.test(c)).join("; "); },
      set(cookie) { if (!own.test(cookie)) cookies.set.call(this, scoped(cookie)); },
    });
  }
  if (window.CookieStore) {
    for (const name of ["set", "delete"]) {
      const native = CookieStore.prototype[name];
      CookieStore.prototype[name] = async function (cookie, value) {
        const named = { name: String(cookie), ...(name === "set" && { value: String(value) }) };
        const o = typeof cookie === "object" && cookie !== null ? { ...cookie } : named;
        if (own.test(o.name)) return;
        o.domain = null;
        if (!String(o.path || "").startsWith(path)) o.path = path;
        return native.call(this, o);
      };
    }
  }

  window.open = function (address, ...rest) {
    let inside = "";
    try { inside = address ? archived(new URL(address, base()).href) : ""; } catch { /* window.open reports what is wrong with it */ }
    return open.call(this || window, inside || address, ...rest);
  };
})();
