// The last safety net of replay. If a page navigates to an address that nothing rewrote (by a handler it generated, a
// refresh it added, a script that wombat never saw), this leads it into the archive. A Content-Security-Policy limits
// what a page requests but not where it navigates. Browsers without the Navigation API have no such net.
(() => {
  "use strict";
  const { prefix, to, url } = document.currentScript.dataset; // …/web/, the prefix that leads to a URI-R, the URI-R of this page
  const { origin } = new URL(prefix), go = location.assign.bind(location), open = window.open;
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
  window.open = function (address, ...rest) {
    let inside = "";
    try { inside = address ? archived(new URL(address, document.baseURI).href) : ""; } catch { /* window.open reports what is wrong with it */ }
    return open.call(this || window, inside || address, ...rest);
  };
})();
