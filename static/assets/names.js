// Defines _varve_, whose members replace the window's names in scripts: the server writes _varve_.location if a script
// means the window's location. It runs after wombat, which provides the objects, in every window that wombat starts in.
(function install() {
  const own = window, page = document, place = location;
  const proxy = own._WB_wombat_obj_proxy;
  if (own._varve_ || !proxy) return;
  const proxyDocument = proxy.document, proxyLocation = proxy.location;
  const native = own.Function, evaluate = own.eval, { apply, construct } = Reflect;

  // checked returns wombat's object for a window, a document or a location, and any other value itself.
  const checked = (value) => {
    if (value === own) return proxy;
    if (value === page) return proxyDocument;
    if (value === place) return proxyLocation;
    try {
      const found = typeof value === "object" && value._WB_wombat_obj_proxy;
      return found && found.__WBProxyRealObj__ === value ? found : value; // some objects answer to every name
    } catch { return value; }
  };
  // Scripts can redeclare or replace these names for all scripts, so they are read from the shared value.
  const around = own.parent, opened = own.opener;
  const accessors = {
    window: { get: () => proxy },
    document: { get: () => proxyDocument },
    location: { get: () => proxyLocation, set: (to) => { proxyLocation.href = to; } },
    top: { get: () => proxy.top },
    globalThis: { get: () => (globalThis === own ? proxy : globalThis), set: (value) => { globalThis = value; } },
    self: { get: () => (self === own ? proxy : self), set: (value) => { self = value; } },
    frames: { get: () => (frames === own ? proxy : frames), set: (value) => { frames = value; } },
    parent: { get: () => (parent === around ? proxy.parent : parent), set: (value) => { parent = value; } },
    opener: { get: () => (opener === opened ? proxy.opener : opener), set: (value) => { opener = value; } },
  };
  // wombat's own goes there twice, which runs a javascript: address twice and loads a page that it is told not to load again.
  for (const at of [own, page]) Object.defineProperty(at, "WB_wombat_location", accessors.location);
  const names = Object.keys(accessors), any = names.join("|");

  // Scripts that exist only as text (eval, new Function, a timer's string, a script written by a script) are rewritten here, more simply
  // than on the server: if the meaning of a name is unclear, a with statement decides it at run time.
  const mentions = new RegExp(`(?<![\\w$.])(?:${any}|this)(?![\\w$])|\\bimport\\s*\\(|\\.postMessage\\s*\\(`);
  const pieces = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\$]|\\[^]|\$(?!\{))*`|[\w$\u0080-\uffff]+|\s+|\?\.(?!\d)|\.\.\.|=>|[^]/g;
  const posts = /(?:(?<![\w$.])([A-Za-z_$][\w$]*)(\??))?(?<!super|__WB_pmw\(_varve_\.window\))\.postMessage(?=\s*\()/g;
  const post = (_, name, sign) => (name && name !== "this" && !names.includes(name) ? `_varve_(${name},1)${sign}` : (name || "") + (sign || "")) +
    ".__WB_pmw(_varve_.window).postMessage";
  const outlasts = /(?:^|[};\n])\s*(?:let|const|class|async\s+function|function\s*\*)\s/; // must not be put inside a block
  const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
  const blockAfter = new Set([")", "else", "try", "do", "finally", "=>", ";", "{", "}", ""]);
  const operatorWords = new Set("return typeof case in of delete void throw new else do instanceof yield await".split(" "));

  // declares reports whether a text declares a name, so that not every use of it means the window's property.
  const declares = (text, name) => {
    const word = `(?<![\\w$.])${name}(?![\\w$])`, among = `\\([^()]*${word}[^()]*\\)`;
    return new RegExp([
      `\\b(?:var|let|const|class|function\\s*\\*?)\\s+${word}`,
      `\\b(?:var|let|const)\\b[^;]*[,{[]\\s*${name}\\s*[=,};\\]]`,
      `\\bfunction\\b[^(]*${among}`, `\\bcatch\\s*${among}`, `${word}\\s*=>`, `${among}\\s*=>`,
    ].join("|")).test(text);
  };

  const significant = (piece) => piece.trim() !== "" && !piece.startsWith("//") && !piece.startsWith("/*");

  // split splits a script into tokens; null if a regular expression or a template makes that ambiguous.
  const split = (text) => {
    const list = [];
    let last = "";
    pieces.lastIndex = 0;
    for (let m; (m = pieces.exec(text)); ) {
      let piece = m[0];
      if (piece === "`") return null;
      if (piece === "/") {
        if (last === ")" || last === "}") return null;
        if (!/[\w$\])"'`]$/.test(last) || operatorWords.has(last)) {
          regularExpression.lastIndex = m.index;
          const r = regularExpression.exec(text);
          if (!r) return null;
          piece = r[0];
          pieces.lastIndex = regularExpression.lastIndex;
        }
      }
      list.push(piece);
      if (significant(piece)) last = piece;
    }
    return list;
  };

  // spelled rewrites the names in a script; null if the meaning of one is unclear.
  const spelled = (text, hidden) => {
    if (/\bwith\s*\(/.test(text)) return null;
    const list = split(text);
    if (!list) return null;
    const at = [...list.keys()].filter((i) => significant(list[i])), brackets = [];
    const word = (n) => list[at[n]] || "";
    for (let n = 0; n < at.length; n++) {
      const piece = word(n), before = word(n - 1), after = word(n + 1);
      if ("([{".includes(piece)) brackets.push(piece === "{" && blockAfter.has(before) ? "block" : piece);
      if (")]}".includes(piece)) brackets.pop();
      if (before === "." || before === "?.") continue;
      const inside = brackets[brackets.length - 1];
      if (piece === "this") {
        const bare = !["[", "(", ":", ".", "?."].includes(after) || ((after === "." || after === "?.") && names.includes(word(n + 2)));
        if (bare && before !== "new") list[at[n]] = "_varve_(this)";
      } else if (piece === "import" && after === "(" && inside !== "{") {
        list[at[n]] = "____wb_rewrite_import__(null,";
        list[at[n + 1]] = "";
      } else if (names.includes(piece) && !hidden.includes(piece)) {
        if (after === ":" && before !== "?" && (inside !== "{" ? /^([;{}:]|)$/.test(before) : before === "{" || before === ",")) continue;
        if (inside === "{" && (before === "{" || before === "," || before === "}")) return null;
        if (before === "get" || before === "set" || before === "async" || before === "static" || before === "*") return null;
        list[at[n]] = "_varve_." + piece;
      }
    }
    return list.join("");
  };

  const scopes = new Map();
  const scope = (hidden) => {
    if (!scopes.has(hidden)) {
      const object = Object.create(null);
      for (const name of names) if (!hidden.split(" ").includes(name)) Object.defineProperty(object, name, accessors[name]);
      scopes.set(hidden, object);
    }
    return scopes.get(hidden);
  };
  const directive = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*["']use strict["']/;

  // prepared makes a script ready to run. global says that its declarations are global.
  const prepared = (text, { hidden = [], strict = false, global = false } = {}) => {
    if (typeof text !== "string" || !mentions.test(text) || text.startsWith("with(_varve_")) return text;
    text = text.replace(posts, post);
    hidden = hidden.concat(names.filter((name) => !hidden.includes(name) && declares(text, name)));
    const plain = spelled(text, hidden);
    if (plain !== null) return plain;
    if (strict || directive.test(text) || (global && outlasts.test(text))) return text;
    return `with(_varve_.scope("${hidden.join(" ")}")){${text}\n}`;
  };

  // A direct call of eval passes the names that have another meaning at its place, and "!" if the surrounding code is strict.
  const code = (place, text) => {
    const strict = place.startsWith("!"), hidden = place.replace("!", "").split(" ").filter(Boolean);
    return prepared(text, { hidden, strict });
  };

  const made = (parts) => {
    const list = Array.from(parts, String);
    if (list.length > 0) {
      const parameters = list.slice(0, -1).join(), body = list[list.length - 1];
      const ready = prepared(body, { hidden: names.filter((name) => new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(parameters)) });
      list[list.length - 1] = ready;
    }
    return list;
  };
  for (const { constructor } of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const value = new Proxy(constructor, {
      apply: (f, that, parts) => apply(f, that, made(parts)),
      construct: (f, parts, target) => construct(f, made(parts), target),
    });
    Object.defineProperty(constructor.prototype, "constructor", { value });
  }
  own.Function = native.prototype.constructor;

  // wombat's location counts as an instance of Location.
  const { Location } = own, instance = native.prototype[Symbol.hasInstance];
  Object.defineProperty(Location, Symbol.hasInstance, { value: (value) => value === proxyLocation || instance.call(Location, value), configurable: true });

  // written returns the window that a script writes to. If the script used the name of a frame, the window isn't wombat's proxy yet.
  const written = (value) => { try { return wombat.objToProxy(value); } catch { return value; } };
  const { eval: indirectly } = { eval(text) { return evaluate(prepared(text)); } };
  const varve = (value, post) => (post ? written(value) : checked(value));
  Object.defineProperties(varve, {
    ...accessors,
    eval: { value: indirectly },
    code: { value: code },
    scope: { value: scope },
  });
  Object.defineProperty(own, "_varve_", { value: varve });

  // A frame accessed by its bare name must be wombat's window, too. The name is a property as long as the frame exists.
  const framed = (e) => {
    const name = e.getAttribute("name");
    if (!name || Object.hasOwn(own, name) || name in own.EventTarget.prototype) return;
    const known = Object.getPrototypeOf(own.Window.prototype), set = (value) => {
      Object.defineProperty(own, name, { value, writable: true, enumerable: true, configurable: true });
    };
    if (typeof known[name] !== "object") return;
    const get = () => (known[name] === undefined ? void delete own[name] : written(known[name]));
    Object.defineProperty(own, name, { get, set, enumerable: false, configurable: true });
  };
  new own.MutationObserver((list) => {
    for (const { type, target, addedNodes } of list) {
      for (const node of type === "attributes" ? [target] : addedNodes) {
        if (node.nodeType !== 1) continue;
        if (node.localName === "iframe" || node.localName === "frame") framed(node);
        for (const tag of ["iframe", "frame"]) for (const e of node.getElementsByTagName(tag)) framed(e);
      }
    }
  }).observe(page, { childList: true, subtree: true, attributeFilter: ["name"] });

  // wombat puts scripts that it gets as text into a block, which hides their declarations; this replaces that. It also runs in windows
  // made by scripts, as wombat does.
  const { wombat } = proxyLocation, kind = Object.getPrototypeOf(wombat);
  wombat.wrappedEval = () => indirectly;
  if (kind._varve_) return;
  kind._varve_ = true;
  kind.wrapScriptTextJsProxy = wombat.wrapScriptTextJsProxy = (text) => prepared(text, { global: true });
  const source = `(${install})()`;
  kind.varveFill(({ $wbwindow }) => $wbwindow === window || $wbwindow.eval(source));
})();
