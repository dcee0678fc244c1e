// The progress of crawls: while one runs, its part of the page is fetched every few seconds, unless the reader is interacting with it.
// The buttons stay, because the fetched ones lack the token; if a state needs other buttons, the page is reloaded.
(() => {
  "use strict";
  const every = 2000, shown = document.querySelector(".renewed");
  if (!shown || !("live" in shown.dataset)) return;
  const states = (of) => [...of.querySelectorAll(".crawlstate")].map((s) => s.className).join();
  const busy = () => document.hidden || shown.contains(document.activeElement) && !document.activeElement.closest(".orders")
    || !(getSelection()?.isCollapsed ?? true);
  const renew = async () => {
    if (busy()) return;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" }).catch(() => null);
    if (!answer || !answer.ok || busy()) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".renewed");
    if (!next) return;
    if (states(next) !== states(shown)) {
      location.reload();
      return;
    }
    const then = [...next.querySelectorAll(".fresh")];
    [...shown.querySelectorAll(".fresh")].forEach((now, i) => { if (then[i]) now.replaceWith(document.adoptNode(then[i])); });
  };
  setInterval(renew, every);
})();
