// What a crawl does within a page. It runs in a world of its own, in which nothing that the page changed is changed.
({
  // roots returns the document and the open shadow trees in it.
  roots() {
    const found = [document];
    for (let i = 0; i < found.length && found.length < 2000; i++) {
      for (const e of found[i].querySelectorAll("*")) if (e.shadowRoot) found.push(e.shadowRoot);
    }
    return found;
  },
  // shown reports whether an element is to be seen.
  shown(e) {
    if (!e.isConnected || !e.getClientRects().length) return false;
    const s = getComputedStyle(e);
    return s.visibility === "visible" && s.display !== "none";
  },
  // all returns the elements that a selector means and that are to be seen.
  all(selector, path) {
    let found = [];
    if (path) {
      const got = document.evaluate(selector, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      for (let i = 0; i < got.snapshotLength; i++) found.push(got.snapshotItem(i));
    } else {
      for (const root of this.roots()) found.push(...root.querySelectorAll(selector));
    }
    return found.filter(e => e instanceof Element && this.shown(e));
  },
  // mark remembers elements, to be asked for by their number, and returns how many there are.
  mark(selector, path) {
    globalThis.varveMarked = this.all(selector, path);
    return globalThis.varveMarked.length;
  },
  // point brings a marked element into view and returns where it can be clicked on; nowhere if something is over it.
  point(i) {
    const e = globalThis.varveMarked[i];
    if (!this.shown(e)) return {gone: true};
    e.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const box = [...e.getClientRects()].find(r => r.width > 0 && r.height > 0);
    if (!box) return {covered: true};
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    let at = document.elementFromPoint(x, y);
    while (at && at.shadowRoot && at !== e) {
      const inner = at.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === at) break;
      at = inner;
    }
    for (let up = at; up; up = up.parentNode || up.host) if (up === e) return {x, y};
    return {covered: true};
  },
  // push clicks on a marked element that can't be pointed at.
  push(i) {
    globalThis.varveMarked[i].click();
  },
  // origin returns whose document this is: "null" if it is nobody's.
  origin() {
    return self.origin;
  },
  // fill writes into the first marked element, in place of what is there, as a keyboard would. It does so at once and within its own
  // document, so that nothing else can take the text by taking the focus.
  fill(text, origin) {
    if (self.origin !== origin) return false;
    const e = globalThis.varveMarked[0];
    e.scrollIntoView({block: "center", behavior: "instant"});
    e.focus();
    if (e.select) e.select();
    else if (e.isContentEditable) getSelection().selectAllChildren(e);
    if (!("value" in e || e.isContentEditable)) return false;
    document.execCommand(text ? "insertText" : "delete", false, text);
    e.dispatchEvent(new Event("change", {bubbles: true}));
    return true;
  },
  // choose selects an option of the first marked element, by its value or by what is to be read there.
  choose(option) {
    const e = globalThis.varveMarked[0];
    const found = [...(e.options || [])].find(o => o.value === option) || [...(e.options || [])].find(o => o.text.trim() === option);
    if (!found) return false;
    found.selected = true;
    e.dispatchEvent(new Event("input", {bubbles: true}));
    e.dispatchEvent(new Event("change", {bubbles: true}));
    return true;
  },
  // scrolled are the boxes that scroll: the page, and what fills most of it.
  scrolled() {
    const page = document.scrollingElement || document.documentElement;
    const found = [page];
    for (const e of document.querySelectorAll("*")) {
      if (e === page || e === document.body || e.scrollHeight <= e.clientHeight + 1 || e.clientHeight < innerHeight / 2) continue;
      if (/auto|scroll/.test(getComputedStyle(e).overflowY)) found.push(e);
    }
    return found;
  },
  // scroll scrolls by some pixels, or by most of what is to be seen, and returns how long everything is and whether that is the end.
  scroll(pixels) {
    let height = 0, end = true;
    for (const box of this.scrolled()) {
      box.scrollBy({top: pixels || Math.max(200, box.clientHeight * 0.8), behavior: "instant"});
      height += box.scrollHeight;
      if (box.scrollTop + box.clientHeight < box.scrollHeight - 2) end = false;
    }
    return {height, end};
  },
  // content returns what the page has become, and the links that aren't in its text, as far as there is room for both.
  content(limit) {
    const html = (document.documentElement ? document.documentElement.outerHTML : "").slice(0, limit);
    const links = this.links(this.roots().slice(1), limit - html.length);
    return {type: document.contentType, url: location.href, base: document.baseURI, html, links};
  },
  // links returns where links in documents and shadow trees lead, as far as there is room.
  links(roots, left) {
    const links = new Set();
    for (const root of roots) {
      for (const e of root.querySelectorAll("a[href], area[href]")) {
        if (links.size >= 10000 || !(e.href.length < 16384) || e.href.length > left || links.has(e.href)) continue;
        links.add(e.href);
        left -= e.href.length;
      }
    }
    return [...links];
  },
  // rested reports whether there has been no long task (W3C Long Tasks API) for some milliseconds.
  rested(milliseconds) {
    const tasks = new PerformanceObserver(() => {});
    tasks.observe({type: "longtask", buffered: true});
    const since = performance.now() - milliseconds;
    return !tasks.takeRecords().some(t => t.startTime + t.duration > since);
  },
  // leads returns the page's address and where its links lead.
  leads(limit) {
    return {url: location.href, links: this.links(this.roots(), limit)};
  },
  // turn shows another part of the page, which its scripts may make.
  turn(fragment) {
    location.hash = fragment;
  },
})
