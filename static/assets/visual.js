// Moves the divider over the newer of two pictures. Without this script it stays in the middle.
(() => {
  "use strict";
  const range = document.getElementById("how-much"), eyes = document.querySelector(".eyes");
  if (!range || !eyes) return;
  const label = range.closest("label"), ways = document.querySelectorAll("input[name=way]");
  const show = () => eyes.style.setProperty("--seen", range.value + "%");
  const choose = () => { label.hidden = document.getElementById("way-sides").checked; };
  range.addEventListener("input", show);
  ways.forEach((w) => w.addEventListener("change", choose));
  // The pointer can also be dragged over the picture itself.
  eyes.addEventListener("pointermove", (e) => {
    if (!e.buttons || !document.getElementById("way-swipe").checked) return;
    const box = eyes.getBoundingClientRect();
    range.value = Math.round(100 * (box.right - e.clientX) / box.width);
    show();
  });
  show();
  choose();
})();
