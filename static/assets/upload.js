// Uploads files that are dropped on a page or chosen in its form, one after the other, and shows their state until they are indexed or
// refused. The texts of a row come from the server, in the reader's language, except while a file is sent or if it is lost.
(() => {
  "use strict";
  const zone = document.querySelector(".dropzone");
  if (!zone) return;
  const form = zone.querySelector("form"), rows = zone.querySelector(".uploads"), status = zone.querySelector(".said");
  const { sending, waiting, refused, lost, large } = zone.dataset, limit = Number(zone.dataset.limit);
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const element = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });
  const say = (row) => { // announces what is new, except changes of numbers alone
    const now = `${row.querySelector(".name").textContent}: ${row.querySelector(".state").textContent.split(/[:：]/)[0]}`;
    if (status.textContent !== now) status.textContent = now;
  };

  const rowOf = (file) => {
    const row = element("li", "upload"), head = element("p", ""), name = element("b", "name", file.name);
    name.dir = "auto";
    head.append(name);
    const bar = Object.assign(element("progress", ""), { max: 100, value: 0 });
    bar.setAttribute("aria-label", file.name);
    row.append(head, element("p", "state", waiting), bar);
    rows.append(row);
    return row;
  };
  const fail = (row, why) => {
    row.className = "upload refused";
    row.querySelector(".state").textContent = refused;
    row.querySelector("progress")?.remove();
    row.append(element("p", "why", why));
    say(row);
  };

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const follow = async (row, at) => {
    for (let wait = 250, failures = 0; failures < 5; wait = Math.min(wait * 1.2, 2000)) {
      await pause(wait);
      const answer = await fetch(at, { headers: { Accept: "text/html" }, cache: "no-store" }).catch(() => null);
      if (!answer || !answer.ok) {
        failures++;
        continue;
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html"), next = page.querySelector(".upload");
      if (!next) break;
      row.replaceWith(document.adoptNode(next));
      row = next;
      say(row);
      if ("over" in row.dataset) return;
    }
    fail(row, lost);
  };

  const send = (row, file, coll) => new Promise((done) => {
    const request = new XMLHttpRequest(), state = row.querySelector(".state"), bar = row.querySelector("progress");
    request.open("POST", `${form.getAttribute("action")}?${new URLSearchParams({ collection: coll, name: file.name })}`);
    request.setRequestHeader("X-Varve-Token", form.elements.token.value);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    const show = (share) => {
      bar.value = 100 * share;
      state.textContent = sending.replace("{0}", percent.format(share));
    };
    show(0);
    say(row);
    request.upload.onprogress = (e) => show(e.total ? e.loaded / e.total : 0);
    request.onerror = () => done(fail(row, lost));
    request.onload = () => {
      if (request.status === 202) return done(follow(row, request.getResponseHeader("Location")));
      let why = lost;
      try {
        why = JSON.parse(request.responseText).error;
      } catch { /* a server in front has answered */ }
      done(fail(row, why));
    };
    request.send(file);
  });

  let last = Promise.resolve(), busy = 0;
  const add = (files) => {
    const coll = form.elements.collection.value;
    for (const file of files) {
      const row = rowOf(file);
      if (file.size > limit) {
        fail(row, large);
        continue;
      }
      busy++;
      last = last.then(() => send(row, file, coll)).finally(() => busy--);
    }
    if (files.length) zone.scrollIntoView({ block: "nearest" });
  };

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const chosen = form.elements.file;
    add([...chosen.files]);
    chosen.value = "";
  });
  const carries = (e) => e.dataTransfer && e.dataTransfer.types.includes("Files");
  addEventListener("dragover", (e) => {
    if (!carries(e)) return;
    e.preventDefault();
    e.dataTransfer.dropEffect = "copy";
    zone.classList.add("over");
  });
  addEventListener("dragleave", (e) => {
    if (!e.relatedTarget) zone.classList.remove("over");
  });
  addEventListener("drop", (e) => {
    if (!carries(e)) return;
    e.preventDefault();
    zone.classList.remove("over");
    add([...e.dataTransfer.files]);
  });
  addEventListener("beforeunload", (e) => { // what is being sent would be lost
    if (busy) e.preventDefault();
  });
})();
