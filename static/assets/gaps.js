// Rewrites what wombat leaves alone: functions through which a page's script would request something from its server's
// root, which the policy refuses. It runs after wombat, in every window that wombat starts in.
(() => {
  const { wombat } = window.WB_wombat_location || {}, kind = wombat && Object.getPrototypeOf(wombat);
  if (!kind || kind._varveGaps) return;

  // around replaces a function by one that gets the native one and its arguments.
  const around = (object, name, replacement) => {
    const native = object && object[name];
    if (typeof native !== "function") return;
    object[name] = function (...given) { return replacement.call(this, native, given); };
  };

  const fill = (wombat) => {
    const own = wombat.$wbwindow, css = (text) => wombat.rewriteStyle(text), html = (text) => wombat.rewriteHtml(String(text), true);
    const first = (rewrite) => function (native, [text, ...rest]) { return native.call(this, rewrite(String(text)), ...rest); };

    around(own.Element.prototype, "setAttributeNS", function (native, given) {
      const [space, name, value] = given;
      if (space || name !== String(name).toLowerCase()) return native.apply(this, given);
      this.setAttribute(name, String(value));
    });
    for (const object of [own.Element, own.ShadowRoot]) around(object && object.prototype, "setHTMLUnsafe", first(html));
    around(own.Document, "parseHTMLUnsafe", first(html));
    for (const name of ["replace", "replaceSync"]) around(own.CSSStyleSheet.prototype, name, first(css));
    around(own.CSSGroupingRule && own.CSSGroupingRule.prototype, "insertRule", first(css));
    for (const name of ["set", "append"]) {
      around(own.StylePropertyMap && own.StylePropertyMap.prototype, name, function (native, [property, ...values]) {
        return native.call(this, property, ...values.map((value) => (typeof value === "string" ? css(value) : value)));
      });
    }

    // A socket of wombat's says that it is open and never answers, which pages wait for. These end as at a dead server.
    own.WebSocket = class WebSocket extends own.EventTarget {
      #state = 0;
      #url;
      constructor(url) {
        super();
        if (arguments.length === 0) throw new own.TypeError("WebSocket: 1 argument required");
        try { this.#url = new own.URL(url, wombat.wb_info.url).href.replace(/^http/, "ws"); } catch { this.#url = "x:"; }
        if (!/^wss?:[^#]*$/.test(this.#url)) throw new own.DOMException("the URL of the WebSocket is invalid", "SyntaxError");
        own.setTimeout(() => this.#end(), 10);
      }
      #end() {
        this.#state = 3;
        for (const event of [new own.Event("error"), new own.CloseEvent("close", { code: 1006 })]) {
          if (typeof this["on" + event.type] === "function") this.addEventListener(event.type, this["on" + event.type], { once: true });
          this.dispatchEvent(event);
        }
      }
      get readyState() { return this.#state; }
      get url() { return this.#url; }
      send() { if (this.#state === 0) throw new own.DOMException("still connecting", "InvalidStateError"); }
      close() { if (this.#state === 0) this.#state = 2; }
    };
    const socket = { protocol: "", extensions: "", bufferedAmount: 0, binaryType: "blob", onopen: null, onmessage: null, onerror: null, onclose: null };
    Object.assign(own.WebSocket.prototype, socket);
    ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].forEach((name, value) => {
      for (const at of [own.WebSocket, own.WebSocket.prototype]) Object.defineProperty(at, name, { value, enumerable: true });
    });

    // wombat tells a worker made from a blob only the prefix of the collection: it would get the newest of what it requests.
    around(wombat, "rewriteWorker", function (native, given) {
      const prefix = wombat.wb_abs_prefix;
      if (String(given[0]).startsWith("blob:")) wombat.wb_abs_prefix = prefix + wombat.wb_info.wombat_ts;
      try { return native.apply(wombat, given); } finally { wombat.wb_abs_prefix = prefix; }
    });
  };

  kind._varveGaps = true;
  fill(wombat);
  const start = kind.wombatInit;
  kind.wombatInit = function () {
    const started = start.apply(this, arguments);
    try { fill(this); } catch { /* a window that can't be reached has no scripts of this page */ }
    return started;
  };
})();
