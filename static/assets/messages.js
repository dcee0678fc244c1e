// Lets windows send messages to each other as on the live web. A message has the archived origin of its sender, arrives only at the
// archived origin that it is for, and is sent from the sender's window. Windows of another origin, which a script can hardly access, have
// stand-ins: the browser refuses whatever wombat asks of them. It runs in every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat), hosts = window._varveHosts;
  if (!kind || kind._varveMessages) return;
  kind._varveMessages = true;

  const isWindow = (value) => { try { return typeof value === "object" && value !== null && value.window === value; } catch { return false; } };
  const reachable = (w) => { try { return Boolean(w.document); } catch { return false; } };
  const realOf = (value) => { try { return value.__WBProxyRealObj__ || value; } catch { return value; } };
  const proxyOf = (w) => { try { return w._WB_wombat_obj_proxy; } catch { return undefined; } };

  // shown returns what scripts of own get for a window. A window that they get before its page has loaded may become another origin's, so
  // it keeps its stand-in.
  const standIns = new WeakMap();
  let someStandIn = false;
  const shown = (own, w) => {
    if (!isWindow(w)) return w;
    const proxy = standIns.get(w) || proxyOf(w);
    if (proxy) return proxy;
    if (reachable(w) && w.location.href !== "about:blank") return w;
    standIns.set(w, standInOf(own, w));
    someStandIn = true;
    return standIns.get(w);
  };

  // placeOf is the location of a window of another origin, which scripts may set but not read.
  const placeOf = (w) => {
    const go = (to) => wombat.rewriteUrl(String(to), false);
    return new Proxy({}, {
      get: (_, name) => (name === "replace" ? (to) => w.location.replace(go(to)) : w.location[name]),
      set(_, name, to) { w.location[name] = name === "href" ? go(to) : to; return true; },
      getPrototypeOf: () => null,
    });
  };
  const standInOf = (own, real) => {
    const place = placeOf(real), now = () => (reachable(real) ? proxyOf(real) || real : real);
    let sender = null; // of the next message: scripts of several windows may share a stand-in
    const from = (w) => { sender = realOf(w); return standIn; };
    const given = {
      __WBProxyRealObj__: () => real, _WB_wombat_obj_proxy: () => standIn, __WB_pmw: () => from, postMessage: () => post,
      location: () => (reachable(real) ? now().location : place), WB_wombat_location: () => given.location(),
    };
    const post = function (message) {
      const w = sender || own;
      sender = null;
      (w._varvePost || own._varvePost)(real, [...arguments]);
    };
    const standIn = new Proxy({}, {
      get(_, name) {
        if (Object.hasOwn(given, name)) return given[name]();
        const value = now()[name];
        if (isWindow(value)) return shown(own, value);
        return typeof value === "function" && !("prototype" in value) ? value.bind(real) : value;
      },
      set(_, name, value) {
        if (name !== "location") return Reflect.set(now(), name, value);
        if (reachable(real)) now().location = value;
        else place.href = value;
        return true;
      },
      has: (_, name) => name in now(),
      ownKeys: () => Reflect.ownKeys(now()),
      getOwnPropertyDescriptor(_, name) {
        const d = Reflect.getOwnPropertyDescriptor(now(), name);
        return d && { ...d, configurable: true };
      },
      defineProperty: (_, name, d) => Reflect.defineProperty(now(), name, { ...d, configurable: true }),
      deleteProperty: (_, name) => Reflect.deleteProperty(now(), name),
      getPrototypeOf: () => Reflect.getPrototypeOf(now()),
    });
    return standIn;
  };

  // wombat passes windows to scripts by these.
  const { objToProxy, defaultProxyGet, initNewWindowWombat } = kind;
  kind.objToProxy = function (object) {
    const proxy = objToProxy.call(this, object);
    return proxy === object || someStandIn && standIns.has(object) ? shown(this.$wbwindow, object) : proxy;
  };
  kind.defaultProxyGet = function (object, name, ...rest) {
    if (name === "postMessage" && isWindow(object)) return object.postMessage; // which may be called for another window
    if (name === "origin" && real === "null") return real;
    let { value } = Object.getOwnPropertyDescriptor(object, name) || {};
    if (typeof value !== "object" || isWindow(value)) { // other objects may answer to every name, also to those of wombat
      try { value = defaultProxyGet.call(this, object, name, ...rest); } catch { value = object[name]; }
    }
    if (typeof value !== "object" || value === null || !someStandIn && reachable(value)) return value;
    const w = realOf(value);
    return w !== this.$wbwindow && isWindow(w) ? shown(this.$wbwindow, w) : value;
  };
  kind.initNewWindowWombat = function (w, src) { // a page that loads starts its own; the property src of a frame completes an empty address
    if (reachable(w) && (!src || /^(?:about:blank|javascript:)/.test(src) || w.frameElement?.getAttribute("src")?.trim() === "")) initNewWindowWombat.call(this, w);
  };
  for (const name of ["objToProxy", "defaultProxyGet", "initNewWindowWombat"]) if (Object.hasOwn(wombat, name)) wombat[name] = kind[name].bind(wombat);

  // A message is sent by a function of its sender's window, by which browsers identify the sender. Its envelope contains the archived
  // origins of both; that of the sender counts only if it is replayed where the message comes from.
  const { origin: real } = window._varveWorker.natives, posts = new WeakMap(); // windows that wombat starts in share an origin
  const originOf = (w) => (real === "null" ? real : w.WB_wombat_location.origin);
  const originIn = (address) => { try { return new wombat.URL(address).origin; } catch { return "null"; } };
  const sendFrom = (own, target, given) => {
    const post = posts.get(own), [message, second, third] = given;
    if (given.length === 0) return post(target);
    const named = given.length > 2 || second != null && typeof second !== "object";
    const options = named ? { targetOrigin: String(second), transfer: third } : { ...second };
    let to = options.targetOrigin === undefined ? "/" : String(options.targetOrigin), there = to;
    const from = originOf(own);
    if (to === "/") to = from;
    else if (to !== "*") {
      to = originIn(to);
      if (to === "null") return post(target, message, options); // the browser says what is wrong with it
      there = hosts.replayed(to);
    }
    return post(target, { _varve: { from, to }, message }, { ...options, targetOrigin: there });
  };

  const fill = (wombat) => {
    const own = wombat.$wbwindow, native = own.__orig_postMessage, { MessageEvent, EventTarget } = own;
    if (!native || posts.has(own)) return;
    const relay = own === window ? (post, w, given) => Reflect.apply(post, w, given) : own.eval("(post, w, given) => Reflect.apply(post, w, given)");
    posts.set(own, (w, ...given) => relay(native, w, given));
    Object.defineProperty(own, "_varvePost", { value: (w, given) => sendFrom(own, w, given) });
    function postMessage(message) {
      const w = realOf(this) || own, source = reachable(w) && realOf(w.__WB_source) || own;
      if (source !== own || reachable(w)) w.__WB_source = undefined;
      return (source._varvePost || own._varvePost)(w, [...arguments]);
    }
    own.postMessage = own.Window.prototype.postMessage = postMessage;

    // The properties of an event with an envelope.
    const descriptor = (name) => Object.getOwnPropertyDescriptor(MessageEvent.prototype, name);
    const data = descriptor("data"), origin = descriptor("origin"), target = Object.getOwnPropertyDescriptor(own.Event.prototype, "target").get;
    const letterIn = (event) => {
      const d = data.get.call(event);
      return typeof d === "object" && d !== null && Object.hasOwn(d, "_varve") && realOf(target.call(event)) === own ? d : null;
    };
    const senderOf = ({ _varve: { from } }, event) => {
      const at = origin.get.call(event);
      return at === "null" || hosts.replayed(String(from)) !== at ? "null" : String(from);
    };
    for (const name of ["target", "srcElement", "currentTarget"]) {
      const d = Object.getOwnPropertyDescriptor(own.Event.prototype, name);
      Object.defineProperty(MessageEvent.prototype, name, { ...d, get() { return wombat.objToProxy(realOf(d.get.call(this))); } });
    }
    const told = { data: (letter) => letter.message, origin: senderOf };
    for (const [name, d] of Object.entries({ data, origin })) {
      Object.defineProperty(MessageEvent.prototype, name, {
        ...d,
        get() {
          const letter = letterIn(this), plain = () => d.get.call(this), source = target.call(this);
          if (letter) return told[name](letter, this);
          if (name === "origin" && source instanceof own.EventSource) return originIn(source.url);
          return name === "origin" && plain() === real ? originOf(own) : plain(); // of the message of a channel
        },
      });
    }
    const receive = (event) => {
      const letter = letterIn(event), to = letter?._varve.to;
      if (letter && to !== "*" && to !== originOf(own)) event.stopImmediatePropagation();
    };

    // wombat wraps listeners of "message"; a String object with that value passes through to the browser.
    const message = new own.String("message");
    for (const name of ["addEventListener", "removeEventListener"]) {
      const listen = EventTarget.prototype[name];
      EventTarget.prototype[name] = function (type, ...rest) {
        return arguments.length === 0 ? listen.call(this) : listen.call(this, type === "message" ? message : type, ...rest);
      };
    }
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    const first = () => add.call(own, "message", receive, true);
    first();
    new own.MutationObserver(first).observe(own.document, { childList: true }); // document.open removes all listeners
    let handler = null;
    const handle = function (event) { if (typeof handler === "function") return handler.call(own, event); };
    Object.defineProperty(own, "onmessage", {
      get: () => handler,
      set(f) {
        if ((handler = typeof f === "function" || typeof f === "object" ? f : null) === null) remove.call(own, "message", handle);
        else add.call(own, "message", handle);
      },
      configurable: true, enumerable: true,
    });

    // An event that a page makes may contain a window, for which wombat has a proxy.
    const members = ["bubbles", "cancelable", "composed", "data", "origin", "lastEventId", "source", "ports"];
    own.MessageEvent = MessageEvent.prototype.constructor = new Proxy(MessageEvent, {
      construct(Native, [type, init, ...rest], target) {
        if (!init?.source) return Reflect.construct(Native, type === undefined ? [] : [type, init, ...rest], target);
        const plain = Object.fromEntries(members.filter((name) => name in init).map((name) => [name, init[name]]));
        return Reflect.construct(Native, [type, { ...plain, source: realOf(plain.source) }], target);
      },
    });
    around(own);
  };

  // around lets a window find the windows around it that wombat doesn't know.
  const around = (own) => {
    for (const name of ["parent", "opener"]) {
      const d = Object.getOwnPropertyDescriptor(own, name);
      if (!d?.get || !d.configurable || name === "parent" && reachable(own.parent)) continue;
      Object.defineProperty(own, name, { ...d, get: () => shown(own, d.get.call(own)) });
    }
    if (real === "null") Object.defineProperty(own, "origin", { get: () => real, set() {}, configurable: true, enumerable: true });
    const { top } = own;
    if (top === own || top === own.__WB_replay_top) return;
    Object.defineProperty(own, "WB_wombat_top", { get: () => ({ _WB_wombat_obj_proxy: shown(own, top) }), set() {}, configurable: true });
  };

  kind.varveFill(fill);
})();
