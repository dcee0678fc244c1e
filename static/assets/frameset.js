// Shows the banner of a page whose body is a frameset, in which browsers keep no element but frames: the server wrote it as text before
// this script. The page's scripts find their frames, and the rows of the frameset, as they were live.
(() => {
  "use strict";
  const doc = document, win = window, { addEventListener: listen, scrollTo } = win;
  const { getAttribute, setAttribute, removeAttribute } = Element.prototype, { insertBefore } = Node.prototype;
  let text = doc.currentScript;
  while (text.localName !== "noframes") text = text.previousElementSibling;
  text.remove();
  if (win !== top) return;

  let host = null, frames = null, own, shown; // the banner, the frameset, its rows as the page wants them, and as they are
  const place = () => {
    const { body } = doc;
    if (!body) return;
    if (!host) {
      const made = doc.createElement("template");
      made._no_rewrite = true; // by wombat
      made.innerHTML = text.textContent;
      host = made.content.querySelector("varve-banner");
      insertBefore.call(host.attachShadow({ mode: "open" }), host.querySelector("template").content, null);
      insertBefore.call(doc.documentElement, host, body);
      doc.documentElement.style.setProperty("overflow", "hidden", "important"); // Firefox shows a scroll bar for what is below the window
      new ResizeObserver(fit).observe(host);
    }
    if (body.localName === "frameset" && body !== frames) take(body);
  };

  const take = (body) => {
    frames = body;
    shown = undefined;
    const { set } = Object.getOwnPropertyDescriptor(HTMLFrameSetElement.prototype, "rows"), rows = () => (fit(), own);
    Object.defineProperty(frames, "rows", { get: () => rows() ?? "", set(value) { set.call(frames, value); fit(); }, configurable: true });
    frames.getAttribute = { getAttribute(name) { return /^rows$/i.test(name) ? rows() : getAttribute.apply(frames, arguments); } }.getAttribute;
    fit();
  };

  const fit = () => {
    if (!frames) return;
    const now = getAttribute.call(frames, "rows"), height = frames.offsetHeight && host.offsetHeight;
    if (now !== shown) own = now;
    shown = height ? above(own, height) : own;
    if (shown === now) return;
    setAttribute.call(frames, "rows", shown ?? "*"); // without the attribute, Chromium keeps the rows that it had
    if (shown === null) removeAttribute.call(frames, "rows");
  };

  // Browsers make a frameset as high as the window, though it begins below the banner. So it gets one more row, without frames, which is
  // below the window's end. Percentages, of what the banner leaves, are told in pixels: Firefox reads whole numbers only.
  const above = (rows, height) => {
    const list = (rows || "*").replace(/,\s*$/, "").split(",").map((row) => {
      const [, n, unit] = /^\s*([\d.]*)\s*([%*]?)/.exec(row);
      return [+n || +(unit === "*"), unit];
    });
    const border = /^(0|no)$/i.test(getAttribute.call(frames, "frameborder")) ? 0 : parseInt(getAttribute.call(frames, "border") ?? 6) || 0;
    const room = frames.offsetHeight - border * (list.length - 1) - height;
    const sum = (wanted) => list.reduce((all, [n, unit]) => (unit === wanted ? all + n : all), 0);
    const left = room - sum(""), share = left / sum("%"), percent = sum("*") ? Math.min(room / 100, share) : share;
    // Rows of nothing but pixels, or of too many, share the room by their sizes.
    const sized = left < 0 || !sum("%") && !sum("*") ? ([n, unit]) => (unit || !n ? "0" : n + "*")
      : ([n, unit]) => (unit === "%" ? Math.floor(n * percent) : n + unit);
    return [...list.map(sized), height - border].join();
  };

  // Keys reach the frame that has the focus, and no click in a frame is heard here that would close what is open in the banner.
  const keys = (w) => {
    try {
      const { document } = w;
      listen.call(w, "keydown", (e) => {
        const nav = host?.shadowRoot.querySelector("nav");
        if (nav?.press && document.designMode !== "on" && w.getSelection().type !== "Range") nav.press(e);
      }, true);
      listen.call(document, "load", (e) => keys(e.target.contentWindow), true);
      for (let i = 0; i < w.length; i++) keys(w[i]);
    } catch { /* of another origin, or no frame */ }
  };
  listen.call(doc, "load", (e) => keys(e.target.contentWindow), true);
  listen.call(win, "blur", () => setTimeout(() => {
    if (doc.activeElement?.localName === "frame") host?.shadowRoot.querySelectorAll("details").forEach((d) => { d.open = false; });
  }));

  new MutationObserver(() => { place(); fit(); }).observe(doc, { childList: true, subtree: true, attributeFilter: ["rows"] });
  listen.call(win, "resize", fit);
  listen.call(win, "scroll", () => frames && scrollTo.call(win, 0, 0)); // to what is below the window, as a frame does to show its own end
})();
