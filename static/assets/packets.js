// Removes WebRTC from a page that is read through the proxy, because it would send packets past the proxy, to the live web. The header
// Connection-Allowlist blocks them as well, but if only the header does, Chromium gives up the page.
(() => {
  "use strict";
  document.currentScript.remove();
  const take = (w) => {
    try { // a loop would go through what the page made of arrays
      delete w.RTCPeerConnection;
      delete w.webkitRTCPeerConnection;
      delete w.mozRTCPeerConnection;
    } catch { /* a window of another origin, which has taken it from itself */ }
    return w;
  };
  take(self);

  // Windows that begin empty have their own WebRTC. This script handles those that the page reaches by a frame or by open.
  const own = Object.getOwnPropertyDescriptor;
  for (const proto of [HTMLIFrameElement.prototype, HTMLFrameElement.prototype, HTMLObjectElement.prototype]) {
    const { get } = own(proto, "contentWindow"), { get: getDocument } = own(proto, "contentDocument");
    Object.defineProperty(proto, "contentWindow", { ...own(proto, "contentWindow"), get() { return take(get.call(this)); } });
    Object.defineProperty(proto, "contentDocument", {
      ...own(proto, "contentDocument"), get() { take(get.call(this)); return getDocument.call(this); },
    });
  }
  const { open } = self;
  self.open = { open(...how) { return take(open.apply(this, how)); } }.open;
})();
