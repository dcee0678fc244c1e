// Marks the link to the page the reader is on.
(function () {
  var links = document.querySelectorAll("#nav a");
  for (var i = 0; i < links.length; i++) {
    if (links[i].pathname === window.location.pathname) {
      links[i].setAttribute("aria-current", "page");
      links[i].style.fontWeight = "bold";
    }
  }
})();
