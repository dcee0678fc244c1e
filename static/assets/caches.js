// The caches of an archived page and of its service worker (serviceworker.js). They are in the memory of the page and end with it,
// because the browser's would be shared by all replayed pages. It runs in pages and in workers; _varveCaches makes the objects that
// scripts use, from a function that accesses the memory.
(() => {
  "use strict";
  const pack = async (response) => {
    const head = { status: response.status, statusText: response.statusText, headers: [...response.headers], url: response.url, type: response.type };
    return { head, body: await response.arrayBuffer() };
  };
  const bodyless = new Set([101, 204, 205, 304]);
  const unpack = ({ head: { status, statusText, headers, url, type }, body }) => {
    const response = new Response(bodyless.has(status) ? null : body, { status, statusText, headers });
    for (const [name, value] of [["url", url], ["type", type]]) Object.defineProperty(response, name, { value, configurable: true });
    return response;
  };
  const base = () => (typeof document === "object" ? document.baseURI : self.location.href);
  const keyOf = (asked) => {
    const request = asked instanceof Request, u = new URL(request ? asked.url : asked, base());
    u.hash = "";
    return { url: u.href, method: request ? asked.method : "GET" };
  };
  const options = ({ ignoreSearch = false, ignoreMethod = false, cacheName } = {}) => ({ ignoreSearch, ignoreMethod, cacheName });
  const key = (asked) => (asked === undefined ? null : keyOf(asked));

  // memory has caches by name, each a list of requests and answers in order.
  const memory = () => {
    const all = new Map();
    const same = (a, b, { ignoreSearch }) => (ignoreSearch ? a.split("?")[0] === b.split("?")[0] : a === b);
    const found = (name, asked, o) => (all.get(name) || []).filter((e) => (
      asked === null || (asked.method === "GET" || asked.method === "HEAD" || o.ignoreMethod) && same(e.url, asked.url, o)));
    const remove = (name, gone) => all.set(name, (all.get(name) || []).filter((e) => !gone.includes(e)));
    return {
      open: (name) => { if (!all.has(name)) all.set(name, []); },
      names: () => [...all.keys()],
      drop: (name) => all.delete(name),
      match: (name, asked, o) => found(name, asked, o).map(({ answer }) => answer),
      keys: (name, asked, o) => found(name, asked, o).map(({ url }) => url),
      put: (name, asked, answer) => {
        remove(name, found(name, asked, {}));
        all.get(name).push({ url: asked.url, answer });
      },
      remove: (name, asked, o) => {
        const gone = found(name, asked, o);
        remove(name, gone);
        return gone.length > 0;
      },
    };
  };

  // made makes the caches that scripts use. reach calls a function of the memory; missing is called if the archive lacks something, and
  // during gets the work that fills a cache.
  const made = (reach, missing = () => {}, during = (work) => work) => {
    const secret = Symbol("name");
    class Cache {
      constructor(own, name) {
        if (own !== secret) throw new TypeError("Illegal constructor");
        Object.defineProperty(this, secret, { value: name });
      }
      async matchAll(asked, o) { return (await reach("match", this[secret], key(asked), options(o))).map(unpack); }
      async match(asked, o) { return (await this.matchAll(asked, o))[0]; }
      async keys(asked, o) { return (await reach("keys", this[secret], key(asked), options(o))).map((url) => new Request(url)); }
      async delete(asked, o) { return reach("remove", this[secret], keyOf(asked), options(o)); }
      put(asked, response) { return during(this.#put(asked, response)); }
      async #put(asked, response) {
        const k = keyOf(asked);
        if (k.method !== "GET") throw new TypeError(`Failed to execute 'put' on 'Cache': Request method '${k.method}' is unsupported`);
        return reach("put", this[secret], k, await pack(response));
      }
      add(asked) { return this.addAll([asked]); }
      addAll(list) { return during(this.#addAll(list)); }
      async #addAll(list) {
        const answers = await Promise.all(Array.from(list, (asked) => fetch(asked)));
        // A response that was never captured can't be cached. That alone must not prevent the installation of the worker.
        const lost = (r) => !r.ok && !r.headers.has("Memento-Datetime");
        if (answers.some((r) => !r.ok && !lost(r))) throw new TypeError("Failed to execute 'addAll' on 'Cache': Request failed");
        await Promise.all(Array.from(list, (asked, i) => (lost(answers[i]) ? missing() : this.put(asked, answers[i]))));
      }
    }
    class CacheStorage {
      async open(name) { await reach("open", String(name)); return new Cache(secret, String(name)); }
      async has(name) { return (await reach("names")).includes(String(name)); }
      keys() { return reach("names"); }
      delete(name) { return reach("drop", String(name)); }
      async match(asked, o = {}) {
        for (const name of o.cacheName === undefined ? await reach("names") : [String(o.cacheName)]) {
          const [answer] = await reach("match", name, keyOf(asked), options(o));
          if (answer) return unpack(answer);
        }
      }
    }
    const caches = new CacheStorage();
    for (const [name, value] of [["Cache", Cache], ["CacheStorage", CacheStorage], ["caches", caches]]) {
      Object.defineProperty(self, name, { value, writable: true, configurable: true, enumerable: false });
    }
  };
  Object.defineProperty(self, "_varveCaches", { value: { memory, made, pack, unpack }, configurable: true });
})();
