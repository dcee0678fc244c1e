// The last net under replay: a page that goes elsewhere in a way that nothing rewrote, be it by a handler it wrote itself,
// a refresh it added or a script that wombat never saw, is led into the archive. A Content-Security-Policy limits what a
// page asks for but not where it goes. Browsers without the Navigation API have no such net.
(() => {
  "use strict";
  const { prefix, to, url } = document.currentScript.dataset; // …/web/, what leads to a URI-R, the URI-R of this page
  const { origin } = new URL(prefix), go = location.assign.bind(location), open = window.open;
  const home = prefix.replace(/[^/]+\/$/, "");

  // archived is where an address leads to inside the archive, "" where it leads there already or nowhere.
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
    try { inside = address ? archived(new URL(address, document.baseURI).href) : ""; } catch { /* open says what is wrong with it */ }
    return open.call(this || window, inside || address, ...rest);
  };
})();
