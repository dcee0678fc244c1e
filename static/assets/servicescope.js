// The environment of an archived service worker. It runs in a worker of the page that registered it, behind worker.js and caches.js, and
// gets its events from serviceworker.js in the page.
(() => {
  "use strict";
  let port, told, missed = false, last = 0;
  const waiting = new Map(), { pack, made } = self._varveCaches, { address } = self._varveWorker;
  const define = (name, value) => Object.defineProperty(self, name, { value, writable: true, configurable: true, enumerable: false });
  const asks = (kind, ...detail) => new Promise((done) => {
    waiting.set(++last, done);
    port.postMessage({ kind, id: last, detail });
  });

  class ExtendableEvent extends Event {
    #pending = [];
    waitUntil(promise) { this.#pending.push(Promise.resolve(promise)); }
    static async settled(event) { for (const p of event.#pending) await p; } // including those that are added meanwhile
  }
  const { settled } = ExtendableEvent;
  delete ExtendableEvent.settled;
  class FetchEvent extends ExtendableEvent {
    #answer;
    constructor(type, init) {
      super(type, { cancelable: true });
      this.request = init.request;
      this.clientId = init.clientId || "";
      this.resultingClientId = "";
      this.preloadResponse = Promise.resolve(undefined);
      this.handled = Promise.resolve(undefined);
    }
    respondWith(answer) {
      if (this.#answer) throw new DOMException("respondWith() was already called.", "InvalidStateError");
      this.#answer = Promise.resolve(answer);
      this.stopImmediatePropagation();
    }
    static answer(event) { return event.#answer; }
  }
  const { answer } = FetchEvent;
  delete FetchEvent.answer;
  class ExtendableMessageEvent extends ExtendableEvent {
    constructor(type, init) { super(type); Object.assign(this, { lastEventId: "" }, init); }
  }
  class Client {
    constructor(about) { Object.assign(this, about); }
    postMessage(data, transfer = []) { port.postMessage({ kind: "post", detail: [data] }, Array.isArray(transfer) ? transfer : transfer.transfer || []); }
  }
  class WindowClient extends Client {
    async focus() { return this; }
    async navigate() { return null; } // the reader decides where to go
  }
  class Clients {
    async matchAll() { return [new WindowClient(await asks("client"))]; }
    async get(id) { const [one] = await this.matchAll(); return one.id === id ? one : undefined; }
    async claim() { await asks("claim"); }
    async openWindow() { return null; }
  }
  class ServiceWorkerGlobalScope { static [Symbol.hasInstance](value) { return value === self; } }
  const classes = { ExtendableEvent, InstallEvent: ExtendableEvent, FetchEvent, ExtendableMessageEvent, Client, WindowClient, Clients, ServiceWorkerGlobalScope };
  for (const [name, value] of Object.entries(classes)) define(name, value);
  define("clients", new Clients());
  define("skipWaiting", async () => {});
  for (const name of ["XMLHttpRequest", "Worker", "DedicatedWorkerGlobalScope", "close", "name"]) delete self[name];
  const preload = { enable: async () => {}, disable: async () => {}, setHeaderValue: async () => {}, getState: async () => ({ enabled: false, headerValue: "true" }) };

  // Loads and stores of the worker that are in progress.
  const busy = new Set();
  const during = (work) => {
    const done = () => busy.delete(work);
    busy.add(work);
    work.then(done, done);
    return work;
  };
  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); }), most = 10000;
  const idle = async () => {
    for (const end = Date.now() + most; busy.size && Date.now() < end;) {
      await Promise.race([Promise.allSettled(busy), pause(most)]);
      await pause(10); // a loaded response may be stored now
    }
  };
  made((...call) => during(asks("cache", ...call)), () => { missed = true; }, during);
  const { fetch } = self;
  define("fetch", function (...given) {
    return during((async () => {
      const response = await fetch.apply(this, given);
      if (!response.ok && !response.headers.has("Memento-Datetime")) missed = true;
      return response;
    })());
  });

  const { redirect } = Response; // the worker itself is a blob, to which no address is relative
  Response.redirect = (to, ...status) => redirect.call(Response, new URL(to, self.location.href).href, ...status);

  for (const type of ["install", "activate", "fetch", "push", "sync", "notificationclick"]) {
    let handler = null;
    Object.defineProperty(self, "on" + type, { get: () => handler, set: (f) => { handler = typeof f === "function" ? f : null; }, configurable: true });
    self.addEventListener(type, function (e) { return handler && handler.call(this, e); });
  }
  const { dispatchEvent, importScripts } = self;
  const dispatched = async (event) => { dispatchEvent.call(self, event); await settled(event); };

  // as sets the properties of a request that only browsers can set.
  const as = (request, about) => {
    for (const name of ["mode", "destination", "referrer"]) Object.defineProperty(request, name, { value: about[name], configurable: true });
    const { clone } = request;
    Object.defineProperty(request, "clone", { value: () => as(clone.call(request), about), configurable: true });
    return request;
  };
  const events = {
    // An install that fails because something was not captured would have succeeded on the live web, so it continues when all else is
    // loaded.
    async install() {
      try { await dispatched(new ExtendableEvent("install")); } catch (error) {
        if (!missed) throw error;
        await idle();
      }
    },
    async activate() { try { await dispatched(new ExtendableEvent("activate")); } catch { /* a browser activates it as well */ } },
    async message(data, client, ports) {
      await dispatched(new ExtendableMessageEvent("message", { data, origin: self.location.origin, source: new WindowClient(client), ports }));
    },
    async fetch(about, client) {
      const { url, method, headers, body } = about;
      const event = new FetchEvent("fetch", { request: as(new Request(url, { method, headers, body }), about), clientId: client.id });
      dispatchEvent.call(self, event);
      const response = await answer(event);
      return response instanceof Response && response.type !== "error" ? pack(response) : null;
    },
  };

  self.addEventListener("message", (first) => {
    first.stopImmediatePropagation();
    [port] = first.ports;
    told = first.data;
    const worker = (state) => ({ scriptURL: told.script, state, postMessage() {} });
    define("serviceWorker", worker("activated"));
    define("registration", {
      scope: told.scope, active: worker("activated"), installing: null, waiting: null, updateViaCache: "imports", navigationPreload: preload,
      update: async () => {}, unregister: () => asks("unregister"), showNotification: async () => {}, getNotifications: async () => [],
    });
    port.onmessage = async ({ data: { kind, id, detail }, ports }) => {
      if (kind === "answer") {
        waiting.get(id)(detail);
        return waiting.delete(id);
      }
      try {
        port.postMessage({ kind: "answer", id, detail: await events[kind](...detail, ports) });
      } catch (error) {
        port.postMessage({ kind: "failed", id, detail: String(error && error.message) });
      }
    };
    const ready = () => port.postMessage({ kind: "ready" });
    const failed = (error) => port.postMessage({ kind: "broken", detail: String(error && error.message) });
    if (told.module) return void import(address(told.script, "wkrm_")).then(ready, failed);
    try { importScripts(told.script); } catch (error) { return failed(error); }
    ready();
  }, { once: true });
})();
