// Shows scripts the original addresses in errors and in the list of loaded resources: an error's stack and file, the names of resources.
// It hides what varve loads for itself. It runs after wombat, in every window that wombat starts in.
(() => {
  "use strict";
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveTraces) return;
  kind._varveTraces = true;
  const { wb_abs_prefix: prefix, wb_info: { static_prefix: statics, apart = prefix } } = wombat, descriptor = Object.getOwnPropertyDescriptor;
  const home = apart.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace("*", "[a-z2-7]{26}");
  const stamped = new RegExp(`${home}\\d+\\w*/(?=https?:)`, "g");
  const original = (text) => (typeof text === "string" ? text.replace(stamped, "") : text);
  const known = ({ name }) => !name.startsWith(statics);

  const fill = ({ $wbwindow: own }) => {
    const telling = (type, name) => {
      const proto = own[type]?.prototype, d = proto && descriptor(proto, name);
      if (d?.get) Object.defineProperty(proto, name, { ...d, get() { return original(d.get.call(this)); } });
    };
    telling("ErrorEvent", "filename");
    telling("PerformanceEntry", "name");
    telling("EventSource", "url");
    telling("NavigationHistoryEntry", "url");
    telling("HashChangeEvent", "oldURL");
    telling("HashChangeEvent", "newURL");
    telling("NavigationDestination", "url");
    const { navigate } = own.Navigation ? own.Navigation.prototype : {};
    if (navigate) own.Navigation.prototype.navigate = { navigate(to, ...rest) { return navigate.call(this, wombat.rewriteUrl(String(to)), ...rest); } }.navigate;
    telling("Error", "stack"); // in Firefox
    const { Error, Proxy } = own, { captureStackTrace: capture } = Error;
    if (!descriptor(Error.prototype, "stack")) {
      const value = (error, sites) => {
        const theirs = sites.filter((site) => !String(site.getFileName()).startsWith(statics));
        let name = "Error";
        try { name = own.Error.prototype.toString.call(error); } catch { /* it says nothing of itself */ }
        return original([name, ...theirs.map((site) => "    at " + site)].join("\n"));
      };
      Object.defineProperty(Error, "prepareStackTrace", { value, writable: true, configurable: true });
    } else if (capture) Error.captureStackTrace = { captureStackTrace(o, f = Error.captureStackTrace) { capture(o, f); o.stack = original(o.stack); } }.captureStackTrace;
    const handler = descriptor(own, "onerror"), handlers = new WeakMap();
    if (handler?.set) {
      Object.defineProperty(own, "onerror", {
        ...handler,
        get() { const f = handler.get.call(own); return handlers.get(f) || f; },
        set(f) {
          const apply = (g, that, [m, source, ...rest]) => Reflect.apply(g, wombat.objToProxy(that), [m, original(source), ...rest]);
          const told = typeof f === "function" ? new Proxy(f, { apply }) : f;
          if (told !== f) handlers.set(told, f);
          handler.set.call(own, told);
        },
      });
    }
    for (const type of ["Performance", "PerformanceObserverEntryList"]) {
      const proto = own[type]?.prototype;
      if (!proto?.getEntries) continue;
      const { getEntries, getEntriesByType } = proto;
      Object.assign(proto, {
        getEntries() { return getEntries.apply(this, arguments).filter(known); },
        getEntriesByType() { return getEntriesByType.apply(this, arguments).filter(known); },
        getEntriesByName(name, type) {
          if (arguments.length === 0) throw new own.TypeError("1 argument required");
          return getEntries.call(this).filter((e) => e.name === String(name) && (type === undefined || e.entryType === type));
        },
      });
    }
    const { toJSON } = own.PerformanceEntry.prototype;
    own.PerformanceEntry.prototype.toJSON = { toJSON() { return { ...toJSON.call(this), name: this.name }; } }.toJSON;
  };

  kind.varveFill(fill);
})();
