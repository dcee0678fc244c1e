// The parts of the banner that need a script. It runs before wombat and takes the browser's functions that it needs.
(() => {
  "use strict";
  const doc = document, win = window;
  const get = win.fetch?.bind(win);
  const { setAttribute, getAttribute, removeAttribute } = Element.prototype;
  const { insertBefore } = Node.prototype, { showPopover, hidePopover, click } = HTMLElement.prototype;
  const make = doc.createElement.bind(doc), find = doc.querySelector.bind(doc);
  const styleOf = win.getComputedStyle.bind(win), later = win.setTimeout.bind(win), Watch = win.MutationObserver, Sizes = win.ResizeObserver;
  const screen = win.visualViewport;
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  const set = (e, name, value) => (value === null ? removeAttribute.call(e, name) : setAttribute.call(e, name, value));
  const attr = (e, name) => getAttribute.call(e, name) || "";
  let store;
  try { store = win.localStorage; } catch { /* storage is disabled */ }

  const KEY = "varve";
  const remembered = () => {
    try { return JSON.parse(store.getItem(KEY)) || {}; } catch { return {}; }
  };
  const remember = (change) => {
    try { store.setItem(KEY, JSON.stringify(Object.assign(remembered(), change))); } catch { /* as above */ }
  };

  const start = (host) => {
    const shadow = host && (host.shadowRoot || oldBrowser(host));
    const nav = shadow?.querySelector("nav");
    if (!nav?.querySelector(".x")) return false; // not complete yet
    if (win !== top) return !host.remove(); // not every browser tells the server that a frame asks
    if (attr(host, "data-on")) return true;
    set(host, "data-on", "1");
    stay(host, nav);
    // A page's base target must not apply to the banner's links.
    if (find("base[target]")) nav.querySelectorAll("a, form").forEach((e) => set(e, "target", "_self"));
    // Keys pressed in the banner must not trigger the page's shortcuts.
    for (const type of ["keydown", "keypress", "keyup"]) shadow.addEventListener(type, (e) => e.stopPropagation());
    folding(nav.querySelector(".x"));
    popups(shadow, nav);
    boxes(nav);
    sharing(nav);
    keys(nav);
    levels(nav);
    timeline(nav);
    const current = nav.querySelector(".now .on");
    nav.querySelector(".now details").addEventListener("toggle", () => current?.scrollIntoView({ block: "nearest" }));
    return true;
  };

  // A phone shrinks a page that is wider than its screen by this factor.
  const shrunk = () => (screen ? Math.min(Math.max(doc.documentElement.clientWidth / screen.width / screen.scale, 1), 4) : 1);

  // A page may replace its document. Styles of the root also apply to the banner, except in the top layer. A spacer of the same height
  // stays in its place.
  const stay = (host, nav) => {
    const above = make("div"), room = make("div");
    const fit = () => {
      stand();
      if (!showPopover) return;
      for (const e of [above, room]) e.style.zoom = shrunk() / (host.currentCSSZoom || 1);
      const height = nav.querySelector(".x").checked ? "0" : nav.offsetHeight + "px";
      // Where lines run from top to bottom, a spacer before the page would be as wide as the window.
      const across = [doc.documentElement, doc.body].some((e) => e && styleOf(e).writingMode[0] !== "h");
      set(host, "data-on", across ? "across" : "1");
      room.style.height = across ? "0" : height;
      if (across) keep("padding-top", height);
    };
    const raise = () => {
      if (!showPopover) return;
      if (above.matches(":popover-open")) hidePopover.call(above);
      showPopover.call(above);
    };
    const place = () => {
      const root = doc.documentElement;
      if (!root) return;
      if (host.parentNode !== root) insertBefore.call(root, host, doc.body);
      raise();
      fit();
      for (const e of [doc, root]) moved.observe(e, { childList: true });
      // Elements in the page's top layer would cover earlier ones.
      doc.addEventListener("toggle", cover, true);
    };
    const cover = (e) => { if (host.isConnected && e.target.matches(":modal,:popover-open")) raise(); };
    // A page may remove the banner again and again.
    let waits;
    const moved = new Watch(() => {
      if (waits || host.parentNode === doc.documentElement) return;
      waits = true;
      later(() => { waits = false; place(); }, 200);
    });
    if (showPopover) {
      set(above, "class", "up");
      set(above, "popover", "manual");
      nav.before(room, above);
      above.append(nav);
    }
    place();
    if (Sizes) new Sizes(fit).observe(nav);
    win.addEventListener("load", fit);
  };

  const keep = (name, value) => doc.documentElement.style.setProperty(name, value, "important");

  // Styles that hide the root would hide the banner.
  const stand = () => {
    const root = doc.documentElement, { display, contentVisibility, interactivity } = styleOf(root);
    if (display === "none") keep("display", "block");
    if (contentVisibility === "hidden") keep("content-visibility", "visible");
    if (interactivity === "inert") keep("interactivity", "auto");
    if (root.inert && doc.body) {
      root.inert = false;
      doc.body.inert = true;
    }
  };

  // Browsers without declarative shadow roots leave the template in the document.
  const oldBrowser = (host) => {
    const template = host.querySelector("template");
    if (!template || !host.attachShadow) return null;
    const shadow = host.attachShadow({ mode: "open" });
    shadow.append(template.content);
    return shadow;
  };

  const folding = (box) => {
    const labels = [attr(box, "title"), attr(box, "data-open")];
    const show = () => {
      set(box, "title", labels[+box.checked]);
      set(box, "aria-label", labels[+box.checked]);
    };
    box.checked = !!remembered().folded;
    box.addEventListener("change", () => { remember({ folded: box.checked }); show(); });
    show();
  };

  const popups = (shadow, nav) => {
    const all = nav.querySelectorAll("details");
    const closeBut = (kept) => all.forEach((d) => { if (d !== kept) d.open = false; });
    all.forEach((d) => d.addEventListener("toggle", () => d.open && closeBut(d)));
    shadow.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      const open = nav.querySelector("details[open]");
      closeBut(null);
      open?.querySelector("summary").focus();
    });
    doc.addEventListener("click", (e) => { if (!e.composedPath().includes(nav)) closeBut(null); });
  };

  const boxes = (nav) => nav.querySelectorAll("[role=textbox]").forEach((box) => {
    const form = box.closest("form"), field = box.previousElementSibling;
    form.addEventListener("submit", () => { field.value = box.textContent.trim(); });
    box.addEventListener("keydown", (e) => { if (e.key === "Enter") e.preventDefault(), form.requestSubmit(); });
  });

  const sharing = (nav) => {
    const link = nav.querySelector(".me"), copy = nav.querySelector(".copy"), share = nav.querySelector(".share");
    copy.hidden = !navigator.clipboard;
    copy.addEventListener("click", () => navigator.clipboard.writeText(link.value).then(() => {
      copy.textContent = attr(copy, "data-done");
    }, () => {}));
    share.hidden = !navigator.share;
    share.addEventListener("click", () => navigator.share({ url: link.value }).catch(() => {}));
    const ask = nav.querySelector(".ask"), asked = cookie && /(^|; )varve-go=./.test(cookie.get.call(doc));
    ask.hidden = !asked;
    ask.addEventListener("click", () => { cookie.set.call(doc, "varve-go=; path=" + attr(nav, "data-goto") + "; max-age=0"); ask.hidden = true; });
  };

  // Keys for the version before and after. They are chosen in the menu, and have no effect while somebody types or selects text. In a
  // frameset frameset.js passes on those that are pressed in frames.
  const keys = (nav) => {
    const box = nav.querySelector(".ky"), buttons = box.querySelectorAll("button"), arrows = ["Shift+ArrowLeft", "Shift+ArrowRight"];
    const [prev, next] = nav.dir === "rtl" ? arrows.reverse() : arrows, chosen = { prev, next, ...remembered().keys };
    const none = buttons[0].textContent;
    let asks;
    const show = () => buttons.forEach((b) => {
      const key = chosen[b.value].replace("ArrowLeft", "\u2190").replace("ArrowRight", "\u2192");
      b.textContent = b === asks ? attr(box, "data-ask") : key || none;
    });
    const ask = (b) => { asks = b; show(); };
    buttons.forEach((b) => {
      b.addEventListener("click", () => ask(b));
      b.addEventListener("blur", () => ask(null));
    });
    win.addEventListener("keydown", nav.press = (e) => {
      if (!e.isTrusted || e.isComposing || /^(Tab|Shift|Control|Alt|AltGraph|Meta)$/.test(e.key)) return;
      const on = e.composedPath()[0], pressed = (e.ctrlKey ? "Ctrl+" : "") + (e.altKey ? "Alt+" : "") + (e.metaKey ? "Meta+" : "") + (e.shiftKey ? "Shift+" : "") + e.key;
      if (asks) {
        if (e.key !== "Escape") chosen[asks.value] = /^(Delete|Backspace)$/.test(e.key) ? "" : pressed;
        remember({ keys: chosen });
        ask(null);
      } else {
        const side = ["prev", "next"].find((s) => chosen[s] === pressed);
        const types = on.isContentEditable || doc.designMode === "on" || (on.matches && on.matches("input,textarea,select"));
        const link = side && !types && win.getSelection().type !== "Range" && nav.querySelector("a." + side);
        if (!link) return;
        click.call(link);
      }
      e.preventDefault();
      e.stopImmediatePropagation();
    }, true);
    show();
    box.hidden = false;
  };

  const levels = (nav) => {
    const label = nav.querySelector(".lv");
    if (!label || !get) return;
    label.hidden = false;
    label.addEventListener("change", (e) => { remember({ level: e.target.value }); choose(nav, e.target.value); });
    const { level } = remembered();
    if (level && level !== "content") {
      label.querySelectorAll("input").forEach((e) => { e.checked = e.value === level; });
      choose(nav, level);
    }
  };

  let chosen;
  const choose = async (nav, level) => {
    const ts = attr(nav, "data-ts");
    chosen = level;
    const answer = await get(attr(nav, "data-levels") + "&level=" + level + "&at=" + ts, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const { ranges, range, versions } = await answer.json(), [prev, first, next, newest, version, other, one, few, many, more, byContent, byText, byAny, redirect, home, missing, since, error, picture, byLook] = attr(nav, "data-texts").split("|");
    if (!ranges.length || chosen !== level) return; // the answer for another one may come first
    const k = Math.max(ranges.findLastIndex((r) => r.first <= ts), 0);
    const number = new Intl.NumberFormat(nav.lang);
    const before = ranges[k - 1], after = ranges[k + 1];
    large(nav, "prev", "predecessor-version", prev, first, before && { href: before.last_memento, ts: before.last, change: ranges[k].change, ends: ending(before) });
    large(nav, "next", "successor-version", next, newest, after && { href: after.first_memento, ts: after.first, change: after.change, ends: ending(after) });
    const label = nav.querySelector(".vn");
    if (label.textContent) label.textContent = version.replace("{0}", number.format(range + 1)).replace("{1}", number.format(versions)).replace("{2}", { content: byContent, text: byText, any: byAny, visual: byLook }[level]);
    onward(nav, level, before, ts);
    nav.querySelector(".vn + span")?.remove();

    function large(nav, side, rel, words, end, to) {
      const old = nav.querySelector("." + side), icon = icons[side] || old.querySelector("svg");
      icons[side] = icon;
      const e = make(to ? "a" : "span");
      set(e, "class", "go " + side + (!to ? " end" : to.ends ? " no" : ""));
      if (!to) e.textContent = end;
      else {
        e._no_rewrite = true; // tells wombat to leave it alone
        set(e, "href", to.href);
        set(e, "rel", rel);
        const bold = make("b"), name = part("w", words);
        if (icon) bold.append(...(side === "prev" ? [icon, name] : [name, icon]));
        else bold.append(name);
        e.append(bold, part("", written(nav.lang, to.ts), to.ts), to.ends ? part("", to.ends) : delta(to.change));
      }
      old.replaceWith(e);
    }
    // Describes a version that shows no page.
    function ending({ kind, redirect: to, until, first }) {
      if (kind === "redirect") return /^https?:\/\/[^/?]+\/?$/.test(to || "") ? home : redirect;
      if (kind === "missing") return until ? missing : since.replace("{0}", new Intl.NumberFormat(nav.lang, { useGrouping: false }).format(first.slice(0, 4)));
      return kind === "error" ? error : "";
    }
    function delta(change) {
      const e = part("", "");
      if (!change) return e;
      const { added, deleted, pictures } = change, last = deleted || added;
      if (added) e.append(part("p", "+" + number.format(added)), " ");
      if (deleted) e.append(part("m", "\u2212" + number.format(deleted)), " ");
      e.append(last ? ({ one, few, many })[new Intl.PluralRules(nav.lang).select(last)] || more : pictures ? picture : other);
      return e;
    }
  };
  const icons = {};

  // The pages that the banner links to use the level of the banner.
  const onward = (nav, level, before, ts) => {
    const slider = nav.querySelector("#sl"), diff = nav.querySelector("#df");
    const at = (link, params) => {
      if (!link) return;
      const to = new URL(attr(slider, "href"), doc.baseURI);
      for (const [name, value] of Object.entries({ level, ...params })) to.searchParams.set(name, value);
      link._no_rewrite = true; // by wombat
      set(link, "href", to.href);
    };
    if (!slider) return;
    if (before) at(diff, { from: before.last, to: ts });
    at(slider, { at: ts });
  };

  const part = (name, text, title) => {
    const e = make("span");
    if (name) set(e, "class", name);
    if (title) set(e, "title", title);
    e.textContent = text;
    return e;
  };

  const moment = (ts) => Date.UTC(ts.slice(0, 4), ts.slice(4, 6) - 1, ts.slice(6, 8), ts.slice(8, 10), ts.slice(10, 12), ts.slice(12, 14));
  const written = (lang, ts) =>
    new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { calendar: "gregory", timeZone: "UTC", day: "numeric", month: "short", year: "numeric" }).format(moment(ts));

  // Between the links, every position leads to its nearest capture.
  const timeline = (nav) => {
    const line = nav.querySelector(".tl"), base = attr(nav, "data-goto");
    if (!line || !base) return;
    const svg = line.querySelector("svg"), [first, last] = [...line.querySelectorAll(":scope > span")].map((e) => moment(attr(e, "title")));
    const uri = nav.querySelector(".url").textContent;
    const instant = (e) => {
      const r = svg.getBoundingClientRect(), x = Math.min(Math.max((e.clientX - r.left) / r.width, 0), 1);
      return new Date(first + (last - first) * (nav.dir === "rtl" ? 1 - x : x)).toISOString().replace(/\D/g, "").slice(0, 14);
    };
    svg.addEventListener("pointermove", (e) => set(line, "title", written(nav.lang, instant(e))));
    svg.addEventListener("click", (e) => {
      if (!e.target.closest("a")) win.open(base + instant(e) + "/" + uri, "_self");
    });
  };

  const tryStart = () => start(find("varve-banner")) && (watch.disconnect(), true);
  const watch = new Watch(tryStart);
  if (!tryStart()) {
    watch.observe(doc.documentElement, { childList: true, subtree: true });
    doc.addEventListener("DOMContentLoaded", () => { tryStart(); watch.disconnect(); });
  }
})();
