// Starts wombat, for the page that the server describes in wbinfo.
(() => {
  "use strict";
  if (!window._WBWombatInit) return;

  // A sandboxed document may not even look at these, which wombat does.
  const kept = (self.origin === "null" ? [[window, "localStorage"], [window, "sessionStorage"], [Navigator.prototype, "serviceWorker"]] : [])
    .map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)]).filter(([, , d]) => d);
  for (const [object, name] of kept) Object.defineProperty(object, name, { value: undefined, writable: true, configurable: true });
  // What a script puts in the place of parent is window.parent, too. wombat's proxy of the window always tells the window.
  const { Proxy, parent } = window;
  window.Proxy = function (target, handler) {
    if (handler && handler.preventExtensions) {
      const { get } = handler;
      handler.get = (t, name) => (name === "parent" && window.parent !== parent ? window.parent : get(t, name));
    }
    return new Proxy(target, handler);
  };
  window._WBWombatInit(window.wbinfo);
  window.Proxy = Proxy;
  for (const [object, name, descriptor] of kept) Object.defineProperty(object, name, descriptor);

  // Lets the frames of a page find the page as their parent and top. wombat looks for is_framed in the page's information;
  // before wombat starts, the same word would mean that varve's own page is around it, which is never so. As it is not
  // enumerable, it isn't copied to windows that the page makes.
  Object.defineProperty(window.wbinfo, "is_framed", { value: true, enumerable: false });

  // What comes after wombat changes every window that wombat starts in.
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat), fills = [];
  if (kind && !kind.varveFill) {
    const { wombatInit } = kind;
    kind.varveFill = (fill) => { fill(wombat); fills.push(fill); };
    kind.wombatInit = function () {
      const started = wombatInit.apply(this, arguments);
      for (const fill of fills) try { fill(this); } catch { /* a window that can't be reached has no scripts of this page */ }
      return started;
    };
  }

  // wombat's addEventListener("message", ...) without an object before it has undefined as this, where browsers take the window.
  for (const name of ["addEventListener", "removeEventListener"]) {
    const listen = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (...given) { return listen.apply(this || window, given); };
  }
})();
