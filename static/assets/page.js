// The "don't ask again" of the landing page. It is a cookie, because the server decides whether to show the page. It
// applies to one collection; the reader can undo it here or in the banner.
(() => {
  "use strict";
  const ask = document.querySelector(".ask");
  if (!ask || !navigator.cookieEnabled) return;
  const NAME = "varve-go=", ALL = "*", YEAR = 31536000;
  const { site, path } = ask.dataset, [forSite, forAll] = ask.querySelectorAll("input");
  const chosen = () => {
    const c = document.cookie.split("; ").find((c) => c.startsWith(NAME));
    return c ? c.slice(NAME.length).split("|").filter(Boolean) : [];
  };
  const show = () => {
    forAll.checked = chosen().includes(ALL);
    forSite.checked = chosen().includes(site);
  };
  ask.addEventListener("change", () => {
    const sites = chosen().filter((s) => s !== ALL && s !== site).slice(-100); // a cookie is limited to 4,096 bytes
    if (forSite.checked) sites.push(site);
    if (forAll.checked) sites.push(ALL);
    document.cookie = `${NAME}${sites.join("|")}; path=${path}; max-age=${sites.length ? YEAR : 0}; samesite=lax`;
    show();
  });
  ask.hidden = false;
  show();
  addEventListener("pageshow", show);
})();

// Completions for the box: words and titles of the collection, archived addresses. They are those of a browser's own
// list (datalist), so that keys and screen readers work as everywhere.
(() => {
  "use strict";
  const PAUSE = 150;
  for (const box of document.querySelectorAll("[data-suggest]")) {
    const list = document.createElement("datalist");
    list.id = "suggestions";
    box.setAttribute("list", list.id);
    box.after(list);
    let timer = 0, asked = "";
    box.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const typed = box.value;
        if (typed.trim() === "" || typed === asked) return;
        asked = typed;
        const answer = await fetch(`${box.dataset.suggest}?q=${encodeURIComponent(typed)}`).catch(() => null);
        if (!answer || !answer.ok || asked !== typed) return;
        const [, completions] = await answer.json();
        list.replaceChildren(...completions.map((c) => Object.assign(document.createElement("option"), { value: c })));
      }, PAUSE);
    });
  }
})();
