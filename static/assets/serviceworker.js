// Stands in for navigator.serviceWorker. The browser's would outlive the page and answer with documents that have no policy, so varve
// never serves a script to it. The worker that a page registers runs in a worker of the page instead: under the policy of the page, and
// only as long as the page is open. Requests of the page's scripts pass through its fetch event, and so do requests of elements that the
// archive could not answer.
(() => {
  "use strict";
  const { src: here, dataset: { worker: workerScript, start: startScript } } = document.currentScript;
  const own = window, { wombat } = own.WB_wombat_location || {}, { memory, made, pack, unpack } = own._varveCaches;
  const { fetch: plainly, Blob, URL: Address, Request: Asked } = own, createObjectURL = (blob) => Address.createObjectURL(blob);
  const stored = () => { try { return own.sessionStorage; } catch { return null; } };
  const { open: begin, write: add, close: end } = Document.prototype;
  const write = (html) => { begin.call(document); add.call(document, html); end.call(document); };
  const natives = own._varveWorker ? own._varveWorker.natives : { Worker: own.Worker, createURL: createObjectURL, session: stored(), write };
  const { Worker: Thread, createURL, session } = natives, place = location;
  if (own._varveWorker) delete own._varveWorker.natives;

  // A document that was never captured may be made by the service worker. It is written into the empty document from the server, which
  // has the scripts of any page. If there is no such worker, the page is requested again, and the server's page about missing captures is
  // shown.
  const giveUp = () => {
    document.head.append(Object.assign(document.createElement("meta"), { name: "referrer", content: "no-referrer" }));
    place.replace(place.href.replace(/#.*/, "")); // with a fragment it would stay
  };
  let shell = giveUp;
  Object.defineProperty(own, "_varveShell", { value: () => shell() });
  if (!/^https?:$/.test(location.protocol) || self.origin === "null") return; // a document that a page made, or a sandboxed one
  const prefix = wombat ? wombat.wb_abs_prefix : "", time = wombat ? wombat.wb_info.wombat_ts : "";
  const where = () => (wombat ? own.WB_wombat_location.href : location.href), base = () => document.baseURI;
  const inArchive = (address) => (wombat ? wombat.rewriteUrl(address, false) : address);
  const original = (address) => (wombat ? wombat.extractOriginalURL(address) : address);
  const home = new Address(wombat ? wombat.wb_info.url : location.href).origin;
  const absolute = (file) => new Address(file, here).href;
  const id = Math.random().toString(36).slice(2);
  const client = () => ({
    id, url: where(), type: "window", frameType: own === top ? "top-level" : "nested", visibilityState: document.visibilityState,
    focused: document.hasFocus(),
  });

  // on lets a class have event handler properties.
  const on = (kind, ...types) => types.forEach((type) => {
    const handlers = new WeakMap();
    Object.defineProperty(kind.prototype, "on" + type, {
      get() { return handlers.get(this) || null; },
      set(f) {
        if (!handlers.has(this)) this.addEventListener(type, (e) => handlers.get(this) && handlers.get(this).call(this, e));
        handlers.set(this, typeof f === "function" ? f : null);
      },
      configurable: true, enumerable: true,
    });
  });
  const secret = Symbol("state");
  const state = (object) => object[secret];
  class Inner extends EventTarget {
    constructor(given) {
      super();
      if (!given || !given[secret]) throw new TypeError(`Failed to construct '${new.target.name}': Illegal constructor`);
      Object.defineProperty(this, secret, { value: given });
    }
  }
  const make = (Kind, given) => new Kind({ ...given, [secret]: true });
  class ServiceWorker extends Inner {
    get scriptURL() { return state(this).script; }
    get state() { return state(this).state; }
    postMessage(data, options = []) {
      const ports = Array.isArray(options) ? options : options.transfer || [];
      state(this).thread.tell("message", [data, client()], ports);
    }
  }
  on(ServiceWorker, "statechange", "error");
  const disabled = {
    enable: async () => {}, disable: async () => {}, setHeaderValue: async () => {}, getState: async () => ({ enabled: false, headerValue: "true" }),
  };
  class ServiceWorkerRegistration extends Inner {
    get scope() { return state(this).scope; }
    get installing() { return state(this).installing; }
    get waiting() { return state(this).waiting; }
    get active() { return state(this).active; }
    get updateViaCache() { return "imports"; }
    get navigationPreload() { return disabled; }
    async update() { return this; }
    async unregister() { return unregister(this); }
    async showNotification() { throw new TypeError("No notification permission"); }
    async getNotifications() { return []; }
  }
  on(ServiceWorkerRegistration, "updatefound");
  class ServiceWorkerContainer extends Inner {
    get controller() { return controller; }
    get ready() { return ready; }
    register(script, options) { return register(script, options); }
    async getRegistration(of = where()) { return registrationOf(new Address(of, base()).href); }
    async getRegistrations() { return [...registrations.values()]; }
    startMessages() {}
  }
  on(ServiceWorkerContainer, "controllerchange", "message", "messageerror");

  const registrations = new Map(), store = memory();
  let controller = null, isReady;
  const ready = new Promise((done) => { isReady = done; });
  const container = make(ServiceWorkerContainer, {});
  const registrationOf = (url) => [...registrations.values()].filter((r) => url.startsWith(r.scope)).sort((a, b) => b.scope.length - a.scope.length)[0];

  // A thread is the worker that runs a script, and the messages to it.
  const threadOf = (registration, worker, module) => {
    const info = { prefix, time, home, url: worker.scriptURL, script: absolute(workerScript) }, { port1: port, port2: its } = new MessageChannel();
    const text = `self._varveWorker=${JSON.stringify(info)};importScripts(${JSON.stringify(absolute(startScript))})`;
    const thread = new Thread(createURL(new Blob([text], { type: "text/javascript" })));
    const waiting = new Map();
    let last = 0, begin, fail;
    const begun = new Promise((done, failed) => { begin = done; fail = failed; });
    const answers = {
      client,
      cache: (name, ...given) => store[name](...given),
      claim: () => registration.active === worker && where().startsWith(registration.scope) && control(worker),
      unregister: () => unregister(registration),
    };
    port.onmessage = async ({ data: { kind, id: n, detail }, ports }) => {
      if (kind === "ready") return begin();
      if (kind === "broken") return fail(new Error(detail));
      if (kind === "post") {
        const e = new MessageEvent("message", { data: detail[0], origin: home, ports: [...ports] });
        Object.defineProperty(e, "source", { value: worker });
        return container.dispatchEvent(e);
      }
      if (kind === "answer" || kind === "failed") {
        const [done, failed] = waiting.get(n);
        waiting.delete(n);
        return kind === "answer" ? done(detail) : failed(new Error(detail));
      }
      port.postMessage({ kind: "answer", id: n, detail: await answers[kind](...detail) });
    };
    thread.onerror = (e) => { e.preventDefault(); fail(new Error(e.message)); };
    thread.postMessage({ script: worker.scriptURL, scope: registration.scope, module }, [its]);
    const tell = (kind, detail, transfer = []) => port.postMessage({ kind, id: ++last, detail }, transfer);
    const ask = (kind, ...detail) => new Promise((done, failed) => {
      tell(kind, detail);
      waiting.set(last, [done, failed]);
    });
    return { begun, ask, tell: (...given) => { tell(...given); waiting.set(last, [() => {}, () => {}]); }, end: () => thread.terminate() };
  };

  const become = (worker, now) => {
    state(worker).state = now;
    worker.dispatchEvent(new Event("statechange"));
  };
  const move = (registration, worker, to) => {
    for (const place of ["installing", "waiting", "active"]) if (state(registration)[place] === worker) state(registration)[place] = null;
    if (to) state(registration)[to] = worker;
  };
  const control = (worker) => {
    if (controller === worker) return;
    controller = worker;
    container.dispatchEvent(new Event("controllerchange"));
  };

  // install runs what a browser runs before a worker is active.
  const install = async (registration, worker) => {
    const { thread } = state(worker);
    try { await thread.ask("install"); } catch {
      move(registration, worker, null);
      if (controller === worker) control(null);
      thread.end();
      return become(worker, "redundant");
    }
    move(registration, worker, "waiting");
    become(worker, "installed");
    const before = registration.active;
    move(registration, worker, "active");
    if (before && before !== worker) {
      state(before).thread.end();
      become(before, "redundant");
      if (controller === before) control(worker);
    }
    become(worker, "activating");
    if (where().startsWith(registration.scope)) isReady(registration);
    await thread.ask("activate");
    become(worker, "activated");
    state(worker).begun();
    remember();
  };

  const started = (registration, script, module) => {
    const worker = make(ServiceWorker, { script, state: "parsed", module });
    const given = state(worker);
    given.active = new Promise((done) => { given.begun = done; });
    given.thread = threadOf(registration, worker, module);
    return worker;
  };

  const register = async (script, { scope, type } = {}) => {
    const address = new Address(original(script), base()), within = new Address(scope === undefined ? "./" : original(scope), scope === undefined ? address : base());
    for (const u of [address, within]) u.hash = "";
    const failure = `Failed to register a ServiceWorker for scope ('${within}') with script ('${address}')`;
    if (address.origin !== home || within.origin !== home) throw new DOMException(`${failure}: The origins do not match.`, "SecurityError");
    const had = registrations.get(within.href), newest = had && (had.installing || had.waiting || had.active);
    if (newest?.scriptURL === address.href) return had;
    const registration = had || make(ServiceWorkerRegistration, { scope: within.href, installing: null, waiting: null, active: null });
    const worker = started(registration, address.href, type === "module");
    try { await state(worker).thread.begun; } catch (e) {
      state(worker).thread.end();
      throw new TypeError(`${failure}: ServiceWorker script evaluation failed (${e.message})`);
    }
    registrations.set(within.href, registration);
    state(registration).installing = worker;
    state(worker).state = "installing";
    setTimeout(() => {
      registration.dispatchEvent(new Event("updatefound"));
      install(registration, worker);
    });
    return registration;
  };
  const unregister = (registration) => {
    const known = registrations.get(registration.scope) === registration;
    if (known) registrations.delete(registration.scope);
    remember();
    return known;
  };

  // The next page of the site in this tab gets this registration, if it is of the same day.
  const note = "varve service workers " + prefix + home, day = time.slice(0, 8);
  const remember = () => {
    const all = [...registrations.values()].filter((r) => r.active)
      .map((r) => ({ scope: r.scope, script: r.active.scriptURL, module: state(r.active).module, day }));
    try { all.length ? session.setItem(note, JSON.stringify(all)) : session.removeItem(note); } catch { /* no storage here */ }
  };
  const recall = () => {
    let all = [];
    try { all = JSON.parse(session.getItem(note)) || []; } catch { /* none */ }
    for (const { scope, script, module, day: of } of all) {
      if (of !== day || new Address(scope).origin !== home || new Address(script).origin !== home) continue;
      const registration = make(ServiceWorkerRegistration, { scope, installing: null, waiting: null, active: null });
      registrations.set(scope, registration);
      const worker = started(registration, script, module);
      Object.assign(state(worker), { state: "activated" });
      state(registration).active = worker;
      if (registrationOf(where()) === registration) controller = worker;
      state(worker).thread.begun.then(async () => {
        await state(worker).thread.ask("install").catch(() => {});
        await state(worker).thread.ask("activate");
        state(worker).begun();
        if (where().startsWith(scope)) isReady(registration);
      }).catch(() => { // its script was not captured
        registrations.delete(scope);
        if (controller === worker) control(null);
        state(worker).begun();
      });
    }
  };

  // answered returns the worker's answer to a request, or null if the worker leaves it to the network, which is the archive here.
  const answered = async (request) => {
    const worker = controller;
    if (!worker) return null;
    await Promise.race([state(worker).active, new Promise((done) => { setTimeout(done, 5000); })]); // an install may wait for something that never comes
    try { return controller && (await state(worker).thread.ask("fetch", request, client())); } catch { return null; }
  };
  const isWeb = (address) => /^https?:/.test(address);
  const about = (url, destination) => ({ url, method: "GET", headers: [], mode: "no-cors", destination, referrer: where() });

  own.fetch = async function (...given) {
    const pass = () => plainly.apply(this, given);
    if (!controller) return pass();
    let request;
    try { request = new Asked(given[0] instanceof Asked ? given[0].clone() : given[0], given[1]); } catch { return pass(); }
    const url = original(request.url);
    if (!isWeb(url) || given[1] && given[1].body instanceof ReadableStream) return pass();
    const { method, mode } = request, body = method === "GET" || method === "HEAD" ? undefined : await request.arrayBuffer();
    const answer = await answered({ url, method, headers: [...request.headers], body, mode, destination: "", referrer: where() });
    return answer ? unpack({ ...answer, head: { ...answer.head, url: answer.head.url || url } }) : pass();
  };

  const typeOf = ({ head }) => (head.headers.find(([name]) => name === "content-type") || [0, ""])[1];
  const blobOf = (answer, type = typeOf(answer)) => new Blob([answer.body], { type });
  const { open, send, setRequestHeader } = own.XMLHttpRequest.prototype, requests = new WeakMap();
  own.XMLHttpRequest.prototype.open = function (method, url, async = true, ...rest) {
    const { href = "" } = Address.canParse(url, base()) ? new Address(url, base()) : {};
    requests.set(this, { method: String(method).toUpperCase(), url: original(href), async, headers: [] });
    return open.call(this, method, url, async, ...rest);
  };
  own.XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    setRequestHeader.call(this, name, value);
    const r = requests.get(this);
    if (r) r.headers.push([name, value]);
  };
  own.XMLHttpRequest.prototype.send = function (body) {
    const r = requests.get(this);
    if (!controller || !r?.async || !isWeb(r.url)) return send.call(this, body);
    const read = r.method === "GET" || r.method === "HEAD" ? undefined : new Response(body).arrayBuffer();
    Promise.resolve(read).then((bytes) => (
      answered({ url: r.url, method: r.method, headers: r.headers, body: bytes, mode: "cors", destination: "", referrer: where() })
    )).catch(() => null).then((answer) => {
      if (requests.get(this) !== r) return; // opened again meanwhile
      if (!answer || answer.head.status >= 300) return send.call(this, body);
      const { responseType, timeout } = this, { status, statusText, headers } = answer.head;
      const type = typeOf(answer).replace(/^text\/html/i, "text/plain"); // inside.js puts itself into pages
      open.call(this, "GET", createURL(blobOf(answer, type)), true);
      Object.assign(this, { responseType, timeout });
      const fixed = {
        status: { get: () => (this.readyState > 1 ? status : 0) }, statusText: { get: () => (this.readyState > 1 ? statusText : "") },
        responseURL: { get: () => r.url }, getResponseHeader: { value: (n) => (headers.find(([h]) => h === String(n).toLowerCase()) || [0, null])[1] },
        getAllResponseHeaders: { value: () => headers.map(([n, v]) => `${n}: ${v}\r\n`).join("") },
      };
      for (const [name, d] of Object.entries(fixed)) Object.defineProperty(this, name, { ...d, configurable: true });
      send.call(this);
    });
  };

  // If the archive has no answer for an element, the worker may have one.
  const tried = new WeakSet(), sources = { IMG: "src", SCRIPT: "src", LINK: "href", VIDEO: "src", AUDIO: "src", SOURCE: "src", EMBED: "src" };
  const destinations = { IMG: "image", SCRIPT: "script", LINK: "style", VIDEO: "video", AUDIO: "audio", SOURCE: "video", EMBED: "embed" };
  const setAttribute = (e, name, value) => (wombat ? wombat.wb_setAttribute : Element.prototype.setAttribute).call(e, name, value);
  const again = (e, name, address) => {
    if (e.tagName !== "SCRIPT") {
      e.removeAttribute("srcset");
      return setAttribute(e, name, address);
    }
    const copy = document.createElement("script"); // a script runs once
    for (const a of e.attributes) if (a.name !== name && a.name !== "integrity") setAttribute(copy, a.name, a.value);
    setAttribute(copy, name, address);
    for (const type of ["load", "error"]) copy["on" + type] = () => { copy.remove(); e.dispatchEvent(new Event(type)); };
    tried.add(copy);
    e.after(copy);
  };
  const missed = (event) => {
    const e = event.target, name = e && sources[e.tagName];
    if (!controller || !name || tried.has(e) || !e.hasAttribute(name)) return;
    const url = original(e.currentSrc || e[name]);
    if (!isWeb(url)) return;
    tried.add(e);
    event.stopImmediatePropagation();
    answered(about(url, destinations[e.tagName])).then((answer) => {
      if (answer?.head.status < 300) again(e, name, createObjectURL(blobOf(answer)));
      else e.dispatchEvent(new Event("error"));
    });
  };
  const listen = () => own.addEventListener("error", missed, true);
  listen();
  const image = HTMLImageElement.prototype, src = Object.getOwnPropertyDescriptor(image, "src");
  Object.defineProperty(image, "src", {
    ...src,
    set(address) { // outside of the document, whose events the window does not get
      if (controller) this.addEventListener("error", missed, { capture: true, once: true });
      src.set.call(this, address);
    },
  });

  // Resources of style sheets that the archive lacks: there is no event for them, but the list of loaded resources has them.
  const named = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)/g;
  const declarations = function* (rules, from) {
    for (const rule of rules) {
      if (rule.style) yield { style: rule.style, from, destination: rule instanceof CSSFontFaceRule ? "font" : "image" };
      if (rule.styleSheet) yield* inSheet(rule.styleSheet);
      else if (rule.cssRules) yield* declarations(rule.cssRules, from);
    }
  };
  const inSheet = function* (sheet) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { /* another site's */ }
    yield* declarations(rules, sheet.href || place.href);
  };
  const styled = function* () {
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) yield* inSheet(sheet);
    for (const e of document.querySelectorAll("[style]")) yield { style: e.style, from: place.href, destination: "image" };
  };
  // leads reports whether an address in a style resolves to a URI-R. With the runtime, styles contain original addresses.
  const leads = (to, from, url) => {
    try { return original(new Address(to, wombat ? original(from) : from).href) === url; } catch { return false; }
  };
  const lacked = async (address) => {
    const url = original(address), uses = [];
    for (const { style, from, destination } of styled()) {
      for (const property of style) {
        const value = style.getPropertyValue(property);
        const has = [...value.matchAll(named)].some(([, ...given]) => {
          const to = given.find((v) => v !== undefined);
          return leads(to, from, url);
        });
        if (has) uses.push({ style, property, value, from, destination });
      }
    }
    if (uses.length === 0 || !isWeb(url)) return;
    const answer = await answered(about(url, uses[0].destination));
    if (!answer || answer.head.status >= 300) return;
    const blob = createObjectURL(blobOf(answer));
    for (const { style, property, value, from } of uses) {
      const ready = value.replace(named, (all, ...given) => {
        const to = given.slice(0, 3).find((v) => v !== undefined);
        return leads(to, from, url) ? `url("${blob}")` : all;
      });
      style.setProperty(property, ready, style.getPropertyPriority(property));
    }
  };
  const asked = new Set();
  const watch = (list) => {
    for (const { name, initiatorType, responseStatus } of list.getEntries()) {
      if (!controller || initiatorType !== "css" || responseStatus < 400 || asked.has(name)) continue;
      asked.add(name);
      lacked(name);
    }
  };
  try { new PerformanceObserver(watch).observe({ type: "resource", buffered: true }); } catch { /* a browser that has no such list */ }

  for (const [name, value] of Object.entries({ ServiceWorker, ServiceWorkerRegistration, ServiceWorkerContainer })) {
    Object.defineProperty(own, name, { value, writable: true, configurable: true, enumerable: false });
  }
  Object.defineProperty(own.Navigator.prototype, "serviceWorker", { get: () => container, configurable: true, enumerable: true });
  made(async (name, ...given) => store[name](...given));
  recall();

  const asNavigation = () => ({
    ...about(where(), own === top ? "document" : "iframe"), mode: "navigate", headers: [["accept", "text/html,application/xhtml+xml,*/*;q=0.8"]],
  });
  const filled = async () => {
    if (document.readyState !== "complete") await new Promise((done) => { own.addEventListener("load", done, { once: true }); });
    const answer = await answered(asNavigation()), { status, headers } = (answer || {}).head || {};
    const [, to] = answer && headers.find(([name]) => name === "location") || [];
    if (to && status > 300 && status < 400) return place.replace(inArchive(new Address(to, where()).href));
    if (!answer || !/^text\/html/i.test(typeOf(answer))) return giveUp();
    const [, charset = "utf-8"] = /charset=["']?([\w-]+)/i.exec(typeOf(answer)) || [];
    const text = new TextDecoder(charset).decode(answer.body);
    natives.write(wombat ? wombat.varveDocument(text) : text);
    listen(); // a document that is written anew has lost all listeners
  };
  shell = () => { filled().catch(giveUp); };

  // A page may reload itself to be controlled from its start. wombat's locations never do that; this does it once.
  const reload = location.reload.bind(location), before = controller;
  const gains = () => before === null && [...registrations.values()].some((r) => r.active && where().startsWith(r.scope));
  if (wombat) Object.getPrototypeOf(own.WB_wombat_location).reload = () => { if (gains()) reload(); };
})();
