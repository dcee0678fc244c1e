// Classic script, declarations at its top, as many sites still have them.
"use strict";
const api = "//api.news.example/items";
let cursor = "", busy = false, loaded = 0;
const list = document.getElementById("list"), item = document.getElementById("item");

function show(entry) {
  const article = item.content.cloneNode(true).firstElementChild;
  article.querySelector("h2").textContent = entry.title;
  article.querySelector("p").innerHTML = entry.html;
  const picture = article.querySelector(":scope > img");
  picture.loading = "lazy";
  picture.dataset.src = entry.picture;
  picture.setAttribute("srcset", `${entry.picture} 1x, ${entry.picture.replace("-80-", "-160-")} 2x`);
  article.querySelector(".wide").style.background = `url(${entry.picture}) repeat-x`;
  list.append(article);
}

async function more() {
  if (busy || cursor === null) return;
  busy = true;
  const address = new URL(api, location);
  address.search = new URLSearchParams({ cursor, ts: Date.now(), rnd: Math.floor(1e5 + Math.random() * 9e5) });
  const answer = await fetch(address, { headers: { "X-Client": "list" } });
  const page = await answer.json();
  page.items.forEach(show);
  loaded += page.items.length;
  cursor = page.next;
  document.getElementById("more").textContent = cursor === null ? `All ${loaded}` : `${loaded} so far`;
  if (cursor === null) advert();
  busy = false;
}

// advert writes into a frame of its own, as ad scripts do.
function advert() {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const d = frame.contentWindow.document;
  d.open();
  d.write('<body style="margin:0"><img src="/img/aa3300-50-50.png"><a href="/offer">An offer at ' + document.location.hostname + "</a>");
  d.close();
  document.body.dataset.done = "yes";
}

new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && more().catch(console.error), { rootMargin: "50px" })
  .observe(document.getElementById("more"));
document.addEventListener("scroll", () => window.scrollY + innerHeight > document.body.scrollHeight - 100 && more());
