// The bar of an animated change. It plays its steps on the page below, or goes from one to the next.
(() => {
  "use strict";
  const doc = document, root = doc.documentElement, bars = doc.getElementsByTagName("varve-animation");
  const on = doc.addEventListener.bind(doc), { setAttribute } = Element.prototype, { insertBefore } = Node.prototype;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const SPEEDS = [1, 2, 4, 0.5];
  const between = (low, n, high) => Math.min(Math.max(n, low), high);
  // The times in milliseconds for reading the old text, removing it, typing the new text, and a pause.
  const times = (m) => [between(900, 500 + 25 * m.going, 1800), m.going && between(300, 40 * m.going, 2000), m.coming && between(300, 40 * m.coming, 2000), 700];

  const start = (host) => {
    const shadow = host.shadowRoot || oldBrowser(host), nav = shadow.querySelector("nav"), $ = (s) => nav.querySelector(s);
    const steps = JSON.parse($(".steps").textContent), number = new Intl.NumberFormat(nav.lang);
    const [changeOf, begin, end, play, pause, lost, hidden, title, goes, comes] = nav.dataset.texts.split("|");
    above(host, shadow, nav);
    if (!steps.length) return;
    varvePage.begin();

    const first = $(".say").textContent;
    const open = []; // the opened steps, the current one last
    let ended = false, playing = false, clock = 0, before = 0, speed = 0, y = 0, still = 0;
    const now = () => open[open.length - 1];
    const past = (k) => times(now()).slice(0, k).reduce((a, b) => a + b, 0);

    const draw = () => {
      const [read, gone, come] = times(now());
      now().draw(between(0, 1 - (clock - read) / (gone || 1), 1), come ? between(0, (clock - read - gone) / come, 1) : 1);
    };
    // At rest, the old and the new text are side by side.
    const rest = () => { clock = 0; now().draw(1, 1); now().scroll("instant"); };
    const advance = () => { now().draw(0, 1); if (open.length === steps.length) ended = true; else add(); };
    const add = () => { open.push(varvePage.open(steps[open.length])); clock = 0; still = 0; };
    const stop = () => { playing = false; };

    const forward = () => {
      stop();
      if (ended) return;
      if (open.length) advance(); else add();
      if (!ended) rest();
      show();
    };
    const back = () => {
      stop();
      if (ended) ended = false;
      else if (open.length) open.pop().undo();
      if (open.length) rest();
      show();
    };
    const again = () => {
      while (open.length) open.pop().undo();
      ended = playing = false;
      scrollTo({ top: 0, behavior: "instant" });
      if (calm.matches) show(); else toggle();
    };
    const toggle = () => {
      if (ended) return again();
      playing = !playing;
      if (playing) {
        if (!open.length) add();
        if (clock === 0) { now().draw(1, 0); now().scroll("smooth"); }
        before = performance.now();
        requestAnimationFrame(frame);
      }
      show();
    };

    // frame advances by the time since the last frame. It waits while the page still scrolls to the place.
    const frame = (at) => {
      if (!playing) return;
      const passed = between(0, at - before, 100) * SPEEDS[speed];
      before = at;
      if (clock === 0 && now().target && (now().top() !== y || still++ < 3)) {
        if (now().top() !== y) still = 0;
        y = now().top();
      } else {
        if (clock === 0) show(); // only now the visible part is known
        clock += passed;
        draw();
        if (clock >= past(4)) next();
      }
      requestAnimationFrame(frame);
    };
    const next = () => {
      advance();
      if (ended) stop();
      else { now().draw(1, 0); now().scroll("smooth"); }
      show();
    };

    const show = () => {
      const n = open.length;
      $(".n").textContent = n ? fill(changeOf, number.format(n), number.format(steps.length)) : begin;
      $(".back").ariaDisabled = n === 0;
      $(".next").ariaDisabled = ended;
      $(".play").ariaLabel = $(".play").title = playing ? pause : play;
      $(".play").hidden = $(".speed").hidden = calm.matches;
      nav.dataset.state = playing ? "playing" : ended ? "end" : n ? "step" : "start";
      nav.dataset.at = n;
      say();
    };
    const say = () => {
      const line = $(".say"), m = now();
      line.classList.remove("open");
      if (!m || ended) { line.textContent = m ? end : first; return; }
      const note = m.step.title ? title : !m.target ? lost : clock === 0 && playing || m.seen() ? "" : hidden;
      line.classList.toggle("open", note !== "");
      line.replaceChildren(...(note ? [part("b", note), " "] : []), ...words("del", goes, m.step.deleted), ...words("ins", comes, m.step.inserted));
    };
    const words = (tag, label, s) => (s.trim() ? [part("span", label), " ", part(tag, short(s.trim())), " "] : []);

    $(".ctl").hidden = false;
    for (const [name, f] of Object.entries({ back, play: toggle, next: forward, again })) $("." + name).addEventListener("click", f);
    $(".speed").addEventListener("click", (e) => {
      speed = (speed + 1) % SPEEDS.length;
      e.currentTarget.textContent = number.format(SPEEDS[speed]) + "\u00d7";
    });
    calm.addEventListener("change", () => { stop(); if (open.length && !ended) rest(); show(); });
    show();
  };

  // above puts the bar above everything in the page, and reserves space for it.
  const above = (host, shadow, nav) => {
    setAttribute.call(host, "data-on", "");
    insertBefore.call(root, host, [...root.children].find((e) => e.contains(host)));
    if (getComputedStyle(root).display === "none") root.style.setProperty("display", "block", "important");
    for (const e of nav.querySelectorAll("a")) e.target = "_self";
    if (nav.showPopover) {
      nav.popover = "manual";
      nav.showPopover();
    }
    const fit = () => {
      if (nav.popover) {
        const room = shadow.querySelector(".room"), zoom = shrunk() / (host.currentCSSZoom || 1);
        for (const e of [nav, room]) e.style.zoom = zoom;
        nav.style.maxHeight = 60 / zoom + "vh";
        room.style.height = nav.offsetHeight + "px";
      }
      root.style.setProperty("scroll-padding-top", nav.getBoundingClientRect().height + "px", "important");
    };
    fit();
    for (const type of ["resize", "load"]) addEventListener(type, fit);
  };

  // A phone shrinks a page that is wider than its screen by this factor.
  const screen = visualViewport;
  const shrunk = () => between(1, root.clientWidth / screen.width / screen.scale, 4);

  // Browsers without declarative shadow roots leave the template in the document.
  const oldBrowser = (host) => {
    const shadow = host.attachShadow({ mode: "open" });
    shadow.append(host.querySelector("template").content);
    return shadow;
  };

  const make = doc.createElement.bind(doc);
  const part = (tag, s) => { const e = make(tag); e.textContent = s; if (tag !== "span") e.dir = "auto"; return e; };
  const fill = (s, ...values) => values.reduce((s, v, i) => s.replace("{" + i + "}", () => v), s);
  const MOST = 600;
  const short = (s) => (s.length > MOST ? [...s].slice(0, MOST).join("") + "\u2026" : s);

  // Nothing in the page may cover the bar. Events in the bar end at its shadow root.
  on("beforetoggle", (e) => { if (e.newState === "open") e.preventDefault(); }, true);
  on("DOMContentLoaded", () => { if (bars[0]) start(bars[0]); });
})();
