// Computes where an archived origin is replayed, and which page is replayed at an address, for messages between windows and for
// document.referrer: at the server's own origin, or at a host of its own. It runs after wombat.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {};
  if (!wombat || window._varveHosts) return;
  const { wb_abs_prefix: prefix, wb_info: { apart } } = wombat, { pathname } = new wombat.URL(prefix);
  const home = (origin) => (apart ? window._varveLabels.home(apart, origin) : prefix);
  const replayed = (origin) => new wombat.URL(home(origin)).origin;

  // archived returns the archived address of the page that is replayed at an address, or "".
  const archived = (address) => {
    const [, at, path, uri] = /^(https?:\/\/[^/]*)(\/(?:[^/]*\/)*?)\d{14}[a-z]*_?\/(https?:\/\/.*)$/.exec(address) || [];
    try { return path === pathname && at === replayed(new wombat.URL(uri).origin) ? uri : ""; } catch { return ""; }
  };
  Object.defineProperty(window, "_varveHosts", { value: { home, replayed, archived } });
})();
