// Starts wombat, for the page that the server describes in wbinfo.
(() => {
  "use strict";
  if (!window._WBWombatInit) return;

  // A sandboxed document must not even read these, but wombat does.
  const kept = (self.origin === "null" ? [[window, "localStorage"], [window, "sessionStorage"], [Navigator.prototype, "serviceWorker"]] : [])
    .map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)]).filter(([, , d]) => d);
  for (const [object, name] of kept) Object.defineProperty(object, name, { value: undefined, writable: true, configurable: true });
  // If a script replaces parent, window.parent changes too. wombat's proxy of the window always returns the original.
  const { Proxy, parent } = window;
  window.Proxy = function (target, handler) {
    if (handler?.preventExtensions) {
      const { get } = handler;
      handler.get = (t, name) => (name === "parent" && window.parent !== parent ? window.parent : get(t, name));
    }
    return new Proxy(target, handler);
  };
  // Time goes on from the capture's. wombat's own Date can't be extended and mixes time zones, so it is told that it has begun.
  const passed = Date.now() - window.wbinfo.wombat_sec * 1000;
  const date = (own) => {
    const { Date } = own, { now } = Date;
    if (own.__wb_Date_now) return;
    own.__wb_Date_now = now;
    Date.now = () => now() - passed;
    Date.__WB_timediff = passed;
    own.Date = Date.prototype.constructor = new Proxy(Date, {
      construct: (f, given, target) => Reflect.construct(f, given.length ? given : [Date.now()], target),
      apply: () => String(new own.Date()),
    });
    const { prototype: formats } = own.Intl.DateTimeFormat, { get } = Object.getOwnPropertyDescriptor(formats, "format");
    Object.defineProperty(formats, "format", { get() { const format = get.call(this); return (at = Date.now()) => format(at); }, configurable: true });
  };
  // wombat reads all properties of a window to learn which are functions. Reading a constructor makes the browser create it, and reading
  // innerWidth lays out the page, which took half of the start.
  const lean = (own, start) => {
    const { getOwnPropertyNames: all } = Object, few = (name) => !/^[A-Z]/.test(name) && "value" in Object.getOwnPropertyDescriptor(own, name);
    const use = (names) => { try { Object.getOwnPropertyNames = names; } catch { /* the page froze it */ } };
    use((object) => (object === own ? all(own).filter(few) : all(object)));
    try { return start(); } finally { use(all); }
  };
  // Properties that wombat replaces stay enumerable: scripts copy events by for...in.
  for (const [name, last] of [["defProp", 4], ["defGetterProp", 3]]) {
    const { [name]: replace } = _WBWombat.prototype;
    _WBWombat.prototype[name] = function (...given) {
      given[last] ||= given[1] in given[0];
      return replace.apply(this, given);
    };
  }
  date(window);
  lean(window, () => window._WBWombatInit(window.wbinfo));
  window.Proxy = Proxy;
  for (const [object, name, descriptor] of kept) Object.defineProperty(object, name, descriptor);

  // Lets the frames of a page find the page as their parent and top. wombat reads is_framed in the page's information; before wombat
  // starts, it would mean that a page of varve's own is around this one, which is never the case. It isn't enumerable, so that it isn't
  // copied to windows that the page makes.
  Object.defineProperty(window.wbinfo, "is_framed", { value: true });

  // The scripts after wombat change every window in which wombat starts.
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat), fills = [];
  if (kind && !kind.varveFill) {
    const { wombatInit } = kind;
    kind.varveFill = (fill) => { fill(wombat); fills.push(fill); };
    kind.wombatInit = function () {
      try { date(this.$wbwindow); } catch { /* see below */ }
      const started = lean(this.$wbwindow, () => wombatInit.apply(this, arguments));
      for (const fill of fills) try { fill(this); } catch { /* a window that can't be reached has no scripts of this page */ }
      return started;
    };
  }

  // wombat's addEventListener("message", ...) without an object before it has undefined as this, for which browsers use the window.
  for (const name of ["addEventListener", "removeEventListener"]) {
    const listen = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (...given) { return listen.apply(this || window, given); };
  }
})();
