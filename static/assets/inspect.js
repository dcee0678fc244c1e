// Updates the inspector's page without reloading it: when an element is chosen in the frame, the form and its values are fetched from the
// server's page for that element. Without this script the form does the same.
(() => {
  "use strict";
  const frame = document.getElementById("still"), said = document.getElementById("said");
  const asked = () => document.getElementById("asked");
  const form = () => document.getElementById("fieldform");
  if (!window.fetch || !window.AbortController) return;
  const noanswer = document.querySelector(".inspect").dataset.noanswer;
  let running = null;

  const say = (text, fault) => {
    said.classList.toggle("seen", !!fault);
    said.textContent = text;
  };
  // The frame shows which element the selector finds.
  const point = () => {
    const element = Number(asked().dataset.element);
    if (frame && element >= 0) frame.contentWindow.postMessage({ show: element }, "*"); // no secret: a number
  };

  const show = async (href, remember) => {
    if (running) running.abort();
    const mine = running = new AbortController();
    document.getElementById("values").setAttribute("aria-busy", "true");
    let page = null;
    try {
      const answer = await fetch(href, { signal: mine.signal, headers: { Accept: "text/html" } });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch { /* the server does not answer, or a newer request replaced this one */ }
    if (mine !== running) return;
    running = null;
    if (page && page.getElementById("asked")) put(page, href, remember);
    else {
      document.getElementById("values").removeAttribute("aria-busy");
      say(noanswer, true);
    }
  };

  const put = (page, href, remember) => {
    const focused = document.activeElement && document.activeElement.name;
    for (const id of ["asked", "values"]) document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
    if (focused && form().elements[focused]) form().elements[focused].focus();
    if (remember) history.pushState(null, "", href);
    const wrong = document.getElementById("wrong"), finds = asked().querySelector("h2 + p");
    say(wrong ? wrong.textContent : finds ? finds.textContent : "", false);
    point();
  };

  // The parameters of the form without empty ones, because people read the address.
  const ask = (more) => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form())) if (value) query.append(name, value);
    for (const name of Object.keys(more)) query.set(name, more[name]);
    return query;
  };
  const address = (query) => `${form().action}?${query}`;

  addEventListener("message", (event) => {
    if (!frame || event.source !== frame.contentWindow || typeof event.data !== "object" || !event.data) return;
    const { varve, element, label } = event.data;
    if (varve === "ready") point();
    if (!Number.isInteger(element) || element < 0) return;
    if (varve === "shown" && typeof label === "string") say(label.slice(0, 100), false);
    if (varve !== "chosen") return;
    const query = ask({ element });
    for (const name of ["css", "xpath", "name", "type", "attribute", "clean", "all"]) query.delete(name);
    show(address(query), true);
  });

  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    const by = event.submitter;
    show(address(ask(by && by.name ? { [by.name]: by.value } : {})), true);
  });
  // Moves to an outer or an inner element.
  document.addEventListener("click", (event) => {
    const a = event.target.closest && event.target.closest(".within a, .levels a, a.rows");
    if (!a || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(a.href, true);
  });
  addEventListener("popstate", () => location.reload());
})();
