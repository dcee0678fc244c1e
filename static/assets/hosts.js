// Says where an archived origin is replayed, and which page is replayed at an address, for messages between windows and for
// document.referrer: at the server's own origin, or at a host of its own. It runs after wombat.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {};
  if (!wombat || window._varveHosts) return;
  const { apart } = wombat.wb_info, server = new wombat.URL(wombat.wb_abs_prefix).origin;
  const home = (origin) => (apart ? window._varveLabels.home(apart, origin) : wombat.wb_abs_prefix);
  const replayed = (origin) => (apart ? new wombat.URL(home(origin)).origin : server);

  // archived returns the archived address of the page that is replayed at an address, "" if none is.
  const { pathname } = new wombat.URL(wombat.wb_abs_prefix);
  const archived = (address) => {
    const [, at, path, uri] = /^(https?:\/\/[^/]*)(\/(?:[^/]*\/)*?)\d{14}[a-z]*_?\/(https?:\/\/.*)$/.exec(address) || [];
    try { return path === pathname && at === replayed(new wombat.URL(uri).origin) ? uri : ""; } catch { return ""; }
  };
  Object.defineProperty(window, "_varveHosts", { value: { home, replayed, archived } });
})();
