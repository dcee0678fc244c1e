// Makes the slider of the page of all versions work; without it the links do the same. It fetches only the current pair, from the page
// that the pair's link leads to, and inserts its content. It drops answers that come too late.
(() => {
  "use strict";
  const box = document.getElementById("slider"), range = box && box.querySelector("input[type=range]");
  if (!range || !window.fetch || !window.AbortController) return;
  const WAIT = 150; // ms without a move before a pair is requested
  const lang = document.documentElement.lang, rtl = document.documentElement.dir === "rtl";
  const said = document.getElementById("said"), { dataset } = box;
  const number = new Intl.NumberFormat(lang);
  let asked = null, timer = 0;

  const shown = () => document.getElementById("pair").dataset;
  const fill = (pattern, ...args) => args.reduce((s, a, i) => s.replace(`{${i}}`, () => a), pattern);

  // The approximate time of the change at a position. The page has a number of dates, evenly distributed over the pairs.
  const dates = dataset.dates.split(" ");
  const day = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { calendar: "gregory", timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
  const roughly = (i) => {
    const pairs = +range.max + 1, exact = dates.length === pairs;
    const d = dates[exact ? i : Math.round(i * (dates.length - 1) / (pairs - 1))];
    const written = day.format(Date.UTC(d.slice(0, 4), d.slice(4, 6) - 1, d.slice(6, 8)));
    return exact ? written : fill(dataset.about, written);
  };

  // The slider's text before the pair has arrived.
  const point = () => {
    const i = +range.value, where = fill(dataset.changeof, number.format(i + 1), number.format(+range.max + 1));
    range.setAttribute("aria-valuetext", where + dataset.comma + roughly(i));
    const line = document.getElementById("where");
    line.replaceChildren(Object.assign(document.createElement("b"), { textContent: where }), dataset.comma + roughly(i));
  };

  const show = async (href) => {
    clearTimeout(timer);
    if (asked) asked.abort();
    const mine = asked = new AbortController();
    box.setAttribute("aria-busy", "true");
    let page = null;
    try {
      const answer = await fetch(href, { signal: mine.signal, headers: { Accept: "text/html" } });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch { /* the server does not answer, or a newer request replaced this one */ }
    if (mine !== asked) return;
    asked = null;
    box.removeAttribute("aria-busy");
    if (page && page.getElementById("pair")) put(page);
    else say(dataset.noanswer, true);
  };

  const say = (text, fault) => {
    said.classList.toggle("seen", !!fault);
    said.textContent = text;
  };

  // If a replaced link had the focus, its successor gets it, else the slider.
  const put = (page) => {
    const focused = document.activeElement, step = focused && focused.closest && focused.closest("a[rel]");
    for (const id of ["where", "life", "steps", "pair"]) {
      const now = document.getElementById(id), then = page.getElementById(id);
      if (now && then) now.replaceWith(then);
    }
    const below = document.querySelector("main > .pager"), then = page.querySelector("main > .pager");
    if (below && then) below.replaceWith(then);
    if (step && !step.isConnected) {
      const same = `a[rel="${step.rel}"]${step.classList.contains("term") ? ".term" : ":not(.term)"}`;
      (document.querySelector((step.closest("#steps") ? "#steps " : "main > .pager ") + same) || range).focus({ preventScroll: true });
    }
    settle();
    const { self, value, sum } = shown();
    history.replaceState(null, "", self);
    document.title = page.title;
    const terms = [...document.querySelectorAll("#pair .terms li")].filter((li) => !li.querySelector("a")).map((li) => li.textContent);
    say([...(document.activeElement === range ? [] : [value]), sum, ...terms].join(dataset.comma)); // a focused slider reads out its value anyway
  };

  const settle = () => {
    const { index, pairs, value } = shown();
    range.max = pairs - 1;
    range.value = index;
    range.setAttribute("aria-valuetext", value);
  };

  const go = (rel, term) => {
    const link = document.querySelector(`#steps a[rel="${rel}"]${term ? ".term" : ":not(.term)"}`);
    if (link) show(link.href);
  };

  range.addEventListener("input", () => {
    point();
    if (asked) asked.abort(), asked = null; // its answer would move the slider back
    clearTimeout(timer);
    timer = setTimeout(() => show(dataset.position + range.value), WAIT);
  });

  document.addEventListener("click", (e) => {
    const link = e.target.closest && e.target.closest("#slider a, main > .pager a");
    if (!link || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    show(link.href);
  });

  // The arrow keys move the slider, except where they move something else.
  const busy = (e) => e.target.closest && e.target.closest("input, select, textarea, [contenteditable], .scroll");
  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || e.shiftKey) return;
    if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && !busy(e)) {
      e.preventDefault();
      const later = (e.key === "ArrowRight") !== rtl;
      range.value = +range.value + (later ? 1 : -1);
      range.dispatchEvent(new Event("input"));
    } else if (box.contains(e.target) && (e.key === "n" || e.key === "p")) {
      e.preventDefault();
      go(e.key === "n" ? "next" : "prev", true);
    }
  });

  range.hidden = false;
  for (const e of box.querySelectorAll(".keys")) e.hidden = false;
  settle(); // on going back, a browser may have kept an older value
})();
