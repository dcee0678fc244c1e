// Marks the link to the page the reader is on, and draws the newest reading under the chart.
const here = window.location.pathname;
for (const link of document.querySelectorAll("nav a")) {
  if (new URL(link.href).pathname === here) {
    link.setAttribute("aria-current", "page");
    link.style.textDecoration = "underline";
  }
}
const place = document.querySelector("#newest");
if (place) {
  fetch("/data/level.json").then((r) => r.json()).then((d) => {
    place.textContent = `Last reading of the season: ${d.level_cm} cm.`;
  }).catch(() => { place.textContent = ""; });
}
