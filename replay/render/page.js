// What is asked of a page that is pictured. It runs in a world of its own, in which nothing that the page changed is changed.
({
  // height returns how high the page is.
  height() {
    const root = document.documentElement, body = document.body;
    return Math.max(root ? root.scrollHeight : 0, body ? body.scrollHeight : 0, innerHeight);
  },
  // scroll goes to a height, so that what waits to be seen is shown.
  scroll(top) {
    scrollTo({top, behavior: "instant"});
  },
  // still ends what moves: scripts at their last frame, animations where they would end, those without an end where they begin, films where
  // they stand.
  still() {
    this.lastFrames(window);
    for (const a of document.getAnimations().slice(0, 5000)) {
      try {
        if (a.effect && a.effect.getComputedTiming().endTime === Infinity) a.cancel();
        else a.finish();
      } catch {
        a.cancel();
      }
    }
    for (const m of document.querySelectorAll("video, audio")) m.pause();
    if (document.activeElement && document.activeElement.blur) document.activeElement.blur();
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
  },
  // lastFrames lets the scripts of a window, and of those inside it, draw their last frames. Those of other origins can't be reached.
  lastFrames(inside) {
    inside.dispatchEvent(new Event("varve-still"));
    for (let i = 0; i < inside.length; i++) try { this.lastFrames(inside[i]); } catch { /* of another origin */ }
  },
  // page returns what is known of the page down to a height: its title and blocks, and how large what it embeds is.
  page(bottom, most) {
    return {
      title: document.title.slice(0, 300), height: this.height(), href: location.href, blocks: new this.Walk(bottom, most).all(),
      embedded: [...document.querySelectorAll("img, iframe, frame, embed, object")].slice(0, 2000).map(e => {
        const r = e.getBoundingClientRect();
        return {url: e.currentSrc || e.src || e.data || "", area: Math.max(0, Math.min(r.bottom, bottom) - Math.max(r.top, 0)) * r.width};
      }).filter(e => e.url && e.url.length < 16384),
    };
  },
  Walk: class {
    constructor(bottom, most) {
      this.bottom = bottom;
      this.most = most;
      this.found = [];
      this.seen = 0;
      this.area = document.documentElement.clientWidth * Math.max(1, document.documentElement.scrollHeight);
    }
    all() {
      if (document.body) this.element(document.body, {place: "", inside: false});
      return this.found;
    }
    element(e, at) {
      if (this.found.length >= this.most || this.seen++ > 30000) return;
      const tag = e.localName;
      if (/^(script|style|noscript|template|link|meta|head|title|base|param|source|track|br|wbr|option|map|area)$/.test(tag)) return;
      const style = getComputedStyle(e);
      if (style.display === "none" || style.visibility === "hidden" && !e.children.length || style.opacity === "0") return;
      at = this.placed(e, tag, at);
      const kind = this.drawn(e, tag);
      if (kind) {
        this.add(e.getBoundingClientRect(), at, kind, this.standIn(e), 0);
        return;
      }
      if (tag === "form" && this.isSearch(e)) {
        this.add(e.getBoundingClientRect(), at, "search", e.innerText || "", 0);
        return;
      }
      if (/^(input|select|textarea|button)$/.test(tag)) {
        if (e.type !== "hidden") this.add(e.getBoundingClientRect(), at, this.isSearch(e) ? "search" : "form", this.standIn(e), 0);
        return;
      }
      if (style.backgroundImage.startsWith("url(") && e !== document.body && !(e.innerText || "").trim()) {
        this.add(e.getBoundingClientRect(), at, "image", e.getAttribute("aria-label") || "", 0);
      }
      this.children(e, tag, at);
    }
    // children takes runs of words in an element as blocks, and what stands between them by itself.
    children(e, tag, at) {
      const roots = e.shadowRoot ? [e.shadowRoot] : [];
      let run = [];
      const close = () => {
        if (run.length) this.words(run, tag, at);
        run = [];
      };
      for (const parent of [...roots, e]) {
        for (const n of parent.childNodes) {
          if (n.nodeType === Node.TEXT_NODE) {
            run.push(n);
          } else if (n.nodeType === Node.ELEMENT_NODE) {
            if (n.localName === "br" || getComputedStyle(n).display === "none") continue;
            if (this.flows(n)) run.push(n);
            else {
              close();
              this.element(n, at);
            }
          }
        }
        close();
      }
    }
    // flows reports whether an element is a part of a line of words, with nothing drawn in it.
    flows(e) {
      if (this.seen++ > 30000) return false;
      const style = getComputedStyle(e);
      if (!style.display.startsWith("inline") && style.display !== "contents") return false;
      return !e.shadowRoot && !this.drawn(e, e.localName) &&
        !e.querySelector("img, svg, video, canvas, iframe, object, embed, input, select, textarea, button, div, p, table, ul, ol, form");
    }
    words(run, tag, at) {
      let text = "", linked = 0;
      for (const n of run) {
        const said = (n.nodeType === Node.TEXT_NODE ? n.data : n.innerText || "").replace(/\s+/g, " ");
        text += said;
        if (n.nodeType === Node.ELEMENT_NODE) {
          if (n.localName === "a") linked += said.trim().length;
          else for (const a of n.querySelectorAll("a")) linked += (a.innerText || "").trim().length;
        } else if (tag === "a" || n.parentElement && n.parentElement.closest("a")) linked += said.trim().length;
      }
      text = text.trim().replace(/\s+/g, " ");
      if (!text) return;
      const range = document.createRange();
      range.setStartBefore(run[0]);
      range.setEndAfter(run[run.length - 1]);
      let box = range.getBoundingClientRect();
      if (box.width < 1 || box.height < 1) return;
      const kind = /^h[1-6]$/.test(tag) ? "title" : /^(td|th|caption)$/.test(tag) ? "table" : "text";
      this.add(box, at, kind, text, Math.min(100, Math.round(100 * linked / text.length)));
    }
    add(box, at, kind, text, links) {
      const x = Math.max(0, Math.round(box.left + scrollX)), y = Math.max(0, Math.round(box.top + scrollY));
      const w = Math.round(box.width), h = Math.min(Math.round(box.height), this.bottom - y);
      if (w < 4 || h < 4 || y >= this.bottom || x >= document.documentElement.clientWidth + 200) return;
      if (this.found.length < this.most) this.found.push({place: at.place, kind, x, y, w, h, links, text: text.slice(0, 20000).replace(/\s+/g, " ").trim()});
    }
    drawn(e, tag) {
      switch (tag) {
        case "img": return /logo/i.test(e.id + " " + e.className + " " + e.alt + " " + e.src.split("/").pop()) ? "logo" : "image";
        case "svg": case "canvas": return "image";
        case "video": case "audio": return "video";
        case "iframe": case "frame": case "embed": case "object": return "frame";
      }
      return "";
    }
    standIn(e) {
      if (e.localName === "iframe" || e.localName === "frame") {
        try {
          return (e.contentDocument.body.innerText || "").slice(0, 20000);
        } catch {
          return e.title || "";
        }
      }
      return e.alt || e.getAttribute("aria-label") || e.title || e.placeholder || e.value || e.innerText || "";
    }
    isSearch(e) {
      if (e.closest("[role=search], search") || e.type === "search") return true;
      const field = e.localName === "form" ? e.querySelector("input[type=search], input[name=q], input[name=s], input[name=search], input[name=query]") : null;
      return !!field && e.querySelectorAll("input:not([type=hidden]), select, textarea").length <= 3;
    }
    // placed says where on a page an element stands, by what it is called: what an ad is stays one, and so on inwards.
    placed(e, tag, at) {
      const rank = {ad: 5, comments: 4, navigation: 3, sidebar: 2, footer: 2, header: 2, content: 1, "": 0};
      const place = this.called(e, tag, at);
      const inside = at.inside || tag === "main" || tag === "article" || e.getAttribute("role") === "main";
      return rank[place] > rank[at.place] ? {place, inside} : {place: at.place, inside};
    }
    called(e, tag, at) {
      const role = e.getAttribute("role");
      if (tag === "nav" || role === "navigation" || role === "menubar") return "navigation";
      if (tag === "aside" || role === "complementary") return "sidebar";
      if ((tag === "footer" || role === "contentinfo") && !at.inside) return "footer";
      if ((tag === "header" || role === "banner") && !at.inside) return "header";
      if (tag === "main" || tag === "article" || role === "main" || role === "article") return "content";
      if (e === document.body || e === document.documentElement) return "";
      const name = " " + (e.id || "") + " " + (typeof e.className === "string" ? e.className : "") + " ";
      if (name.length < 4 || name.length > 500) return "";
      const box = e.getBoundingClientRect();
      if (box.width * box.height > this.area * 0.5) return "";
      const says = words => new RegExp("[\\s_-](" + words + ")[\\s_-]", "i").test(name);
      if (says("ads?|advert|advertisements?|advertising|sponsors?|sponsored|adsense|dfp|adbox|adsbygoogle|banner[_-]?ads?")) return "ad";
      if (says("comments?|disqus|commentlist|responses")) return "comments";
      if (says("nav|navbar|navigation|menu|submenu|breadcrumbs?|topnav|mainnav|sitenav|pagination")) return "navigation";
      if (says("sidebar|sidebars|aside|rail|widgets?|side|leftcol|rightcol|related")) return "sidebar";
      if (says("footer|foot|colophon|copyright|bottom|sitefooter|legal")) return "footer";
      if (says("header|head|masthead|topbar|siteheader|banner|cookie|cookies|consent")) return at.inside ? "" : "header";
      if (says("content|main|article|post|entry|story|maincontent|bodytext")) return "content";
      return "";
    }
  },
})
