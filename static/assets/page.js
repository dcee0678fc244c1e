// The "don't ask again" of the landing page. It is a cookie, because the server decides whether to show the page. It applies to one
// collection; the reader can undo it here or in the banner.
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

// Completions for the box: words and titles of the collection, archived addresses. The list is a listbox below a combobox (ARIA 1.2): the
// focus stays in the field, arrows choose, Enter opens, Escape restores the typed text. It isn't the browser's datalist, which only shows
// items that literally contain the typed text, and differs between browsers.
(() => {
  "use strict";
  const PAUSE = 150;
  let lists = 0;

  const complete = (box) => {
    const list = Object.assign(document.createElement("ul"), { id: `suggestions-${++lists}`, className: "suggestions", hidden: true });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", box.getAttribute("aria-label"));
    const roles = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id };
    for (const name of Object.keys(roles)) box.setAttribute(name, roles[name]);
    box.form.append(list);
    let timer = 0, asked = 0, typed = "", chosen = -1;

    const show = (on) => {
      list.hidden = !on;
      box.setAttribute("aria-expanded", String(on));
      choose(-1);
    };
    const choose = (i) => {
      list.children[chosen]?.removeAttribute("aria-selected");
      chosen = i;
      const option = list.children[i];
      if (!option) return box.removeAttribute("aria-activedescendant");
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      box.setAttribute("aria-activedescendant", option.id);
    };
    const offer = (completions) => {
      list.replaceChildren(...completions.map((text, i) => {
        const option = Object.assign(document.createElement("li"), { id: `${list.id}-${i}`, textContent: text, dir: "auto" });
        option.setAttribute("role", "option");
        return option;
      }));
      show(completions.length > 0 && document.activeElement === box);
    };
    const ask = async () => {
      const mine = ++asked;
      const answer = await fetch(`${box.dataset.suggest}?q=${encodeURIComponent(typed)}`).catch(() => null);
      const [, completions] = answer && answer.ok ? await answer.json() : ["", []];
      if (mine === asked) offer(completions.filter((c) => c !== typed));
    };
    const close = () => {
      clearTimeout(timer);
      asked++; // a pending answer comes too late
      show(false);
    };
    const go = (text) => {
      box.value = text;
      close();
      box.form.requestSubmit();
    };

    box.addEventListener("input", () => {
      close();
      typed = box.value;
      if (typed.trim() !== "") timer = setTimeout(ask, PAUSE);
    });
    box.addEventListener("keydown", (e) => {
      if (e.isComposing || list.hidden) return;
      const n = list.children.length, step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (step) { // -1 is the field itself, between the last and the first
        choose((chosen + 1 + step + n + 1) % (n + 1) - 1);
        box.value = chosen < 0 ? typed : list.children[chosen].textContent;
      } else if (e.key === "Enter" && chosen >= 0) {
        go(list.children[chosen].textContent);
      } else if (e.key === "Escape") {
        box.value = typed;
        close();
      } else return;
      e.preventDefault();
    });
    box.addEventListener("blur", close);
    list.addEventListener("pointerdown", (e) => e.preventDefault()); // the field keeps the focus
    list.addEventListener("click", (e) => {
      const option = e.target.closest("[role=option]");
      if (option) go(option.textContent);
    });
  };
  document.querySelectorAll("[data-suggest]").forEach(complete);
})();

// The layout of differences. The choice is stored with those of the banner.
(() => {
  "use strict";
  const views = [...document.querySelectorAll(".views input")], KEY = "varve";
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem(KEY)) || {}; } catch { return {}; } // storage is disabled
  };
  const show = () => {
    for (const v of views) if (v.value === remembered().diff) v.checked = true;
  };
  for (const v of views) {
    v.addEventListener("change", () => {
      try { localStorage.setItem(KEY, JSON.stringify({ ...remembered(), diff: v.value })); } catch { /* as above */ }
    });
    v.addEventListener("keydown", (e) => e.stopPropagation()); // arrows choose a view, not a version
  }
  show();
  addEventListener("pageshow", show);
})();
