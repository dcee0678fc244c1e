// Comfort for the pages. The landing page's "don't ask again" is kept in this browser, under one key,
// and taken back from the banner.
(() => {
  "use strict";
  const KEY = "varve";
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem(KEY)) || {}; } catch { return {}; }
  };
  const remember = (change) => {
    try { localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...change })); return true; } catch { return false; }
  };

  const ask = document.querySelector(".ask");
  if (!ask || !remember({})) return;
  const { site, go } = ask.dataset, [forSite, forAll] = ask.querySelectorAll("input");
  const chosen = remembered().go || { sites: [] };
  // Going back to this page, a reader wants to see it.
  const came = performance.getEntriesByType("navigation")[0];
  if ((chosen.all || chosen.sites.includes(site)) && came && came.type === "navigate") {
    location.replace(go);
    return;
  }
  ask.hidden = false;
  forAll.checked = !!chosen.all;
  forSite.checked = chosen.sites.includes(site);
  ask.addEventListener("change", () => {
    const sites = chosen.sites.filter((s) => s !== site);
    if (forSite.checked) sites.push(site);
    chosen.sites = sites;
    chosen.all = forAll.checked;
    remember({ go: sites.length || chosen.all ? chosen : undefined });
  });
})();
