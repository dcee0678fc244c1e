// Runs in the page under an animated change. It finds the places that the server counted in the page's text, and removes and inserts text
// there. It is loaded in the head, before the page's markup, because an element with the name of a function would hide that function.
const varvePage = (() => {
  "use strict";
  const doc = document, root = doc.documentElement;
  const getter = (of, name) => { const { get } = Object.getOwnPropertyDescriptor(of, name); return (o) => get.call(o); };
  const method = (of, name) => { const f = of[name]; return (o, ...args) => f.apply(o, args); };
  const first = getter(Node.prototype, "firstChild"), next = getter(Node.prototype, "nextSibling"), parent = getter(Node.prototype, "parentNode");
  const kind = getter(Node.prototype, "nodeType"), name = getter(Element.prototype, "localName"), space = getter(Element.prototype, "namespaceURI"), words = getter(Node.prototype, "textContent");
  const put = method(Node.prototype, "insertBefore"), take = method(Node.prototype, "removeChild"), copy = method(Node.prototype, "cloneNode"), holds = method(Node.prototype, "contains");
  const set = method(Element.prototype, "setAttribute"), unset = method(Element.prototype, "removeAttribute"), attr = method(Element.prototype, "getAttribute");
  const one = method(Element.prototype, "querySelector"), near = method(Element.prototype, "closest"), show = method(Element.prototype, "scrollIntoView");
  const box = method(Element.prototype, "getBoundingClientRect"), boxes = method(Element.prototype, "getClientRects");
  const make = doc.createElement.bind(doc), text = doc.createTextNode.bind(doc), under = doc.elementsFromPoint.bind(doc), titles = doc.getElementsByTagName("title");
  const display = (e) => getComputedStyle(e).display;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":is(varve-del,varve-ins)::before,:is(varve-del,varve-ins)::after{content:none!important}");
  doc.adoptedStyleSheets.push(sheet);
  const LOOK = "all:unset!important;pointer-events:auto!important;-webkit-text-fill-color:currentColor!important;";
  const GONE = LOOK + "display:inline!important;text-decoration:line-through!important;background:#fde8cc!important;color:#6b3900!important";
  const COME = LOOK + "text-decoration:underline!important;background:#d5f0eb!important;color:#074a45!important;display:";

  // What the server doesn't count: elements without text, and white space.
  const UNSEEN = new Set(["script", "style", "template", "noscript", "iframe", "noframes", "varve-animation", "varve-ins"]);
  const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const white = new RegExp(`[${WHITE}]+`, "g"), leads = new RegExp(`^[${WHITE}]`), trails = new RegExp(`[${WHITE}]$`);
  const strip = (s) => s.replace(white, "");

  // closed reports whether no element can be inserted beside a text: in a drawing, a formula, a field.
  const closed = (node) => space(parent(node)) !== space(root) || /^(textarea|option)$/.test(name(parent(node)));

  const kept = new Map(); // varve-del elements and what they replaced

  // read lists the text nodes of the document with their counted characters and their positions in the whole text.
  const read = () => {
    const parts = [];
    let length = 0;
    const add = (node, s) => { if ((s = strip(s))) parts.push({ node, from: length, to: length += s.length, text: s }); };
    for (let node = root; node;) {
      let down = null;
      if (kind(node) === 3) add(node, node.data);
      else if (kept.has(node)) add(node, kept.get(node));
      else if (kind(node) === 1 && !UNSEEN.has(name(node)) && node !== titles[0]) down = first(node);
      if (!down) while (node !== root && !next(node)) node = parent(node);
      node = down || (node === root ? null : next(node));
    }
    return parts;
  };

  let all = ""; // the counted text of the page before any step
  let shift = 0; // the document's offset from the server's text at the last place

  // find returns the position of a step's place in all, or -1. If the browser parsed the markup differently from the server, the
  // surrounding text decides; of several such places, the nearest.
  const ENOUGH = 6;
  const find = (step) => {
    const [was, before, after] = [step.deleted, step.before, step.after].map(strip), at = step.at + shift;
    if (at >= before.length && all.startsWith(before + was + after, at - before.length)) return at;
    for (const [a, b] of [[before, after], [before.slice(-12), after.slice(0, 12)], [before, ""], ["", after]]) {
      const what = a + was + b, want = Math.max(at - a.length, 0);
      if (what.length < ENOUGH) continue;
      const ahead = all.indexOf(what, want), behind = all.lastIndexOf(what, want);
      if (ahead < 0 && behind < 0) continue;
      const found = (behind < 0 || ahead >= 0 && ahead - want < want - behind ? ahead : behind) + a.length;
      shift = found - step.at;
      return found;
    }
    return -1;
  };

  const partAt = (parts, k) => parts.find((p) => k >= p.from && k < p.to);

  // rawAt returns the position of the character k of all in a node's data.
  const rawAt = (part, k) => {
    for (let i = 0, left = k - part.from; ; i++) if (!leads.test(part.node.data[i]) && left-- === 0) return i;
  };

  // cut replaces a part of a text node by an element, so that it can be completely undone.
  const cut = (undo, node, from, to, e) => {
    const data = node.data, up = parent(node), rest = text(data.slice(to));
    node.data = data.slice(0, from);
    put(up, e, next(node));
    put(up, rest, next(e));
    undo.push(() => { take(up, e); take(up, rest); node.data = data; });
  };

  // strike marks the old text, with an element for each text node it touches; null if elements can't be inserted.
  const strike = (undo, parts, at, step) => {
    const end = at + strip(step.deleted).length, within = parts.filter((p) => p.to > at && p.from < end);
    if (!within.length || within.some((p) => kind(p.node) !== 3 || closed(p.node))) return null;
    return within.map((p) => {
      const { data } = p.node;
      let from = p.from <= at ? rawAt(p, at) : 0, to = p.to >= end ? rawAt(p, end - 1) + 1 : data.length;
      if (p.from <= at && leads.test(step.deleted)) while (from > 0 && leads.test(data[from - 1])) from--;
      if (p.to >= end && trails.test(step.deleted)) while (to < data.length && leads.test(data[to])) to++;
      const e = element("varve-del", GONE, data.slice(from, to));
      cut(undo, p.node, from, to, e);
      kept.set(e, data.slice(from, to));
      undo.push(() => kept.delete(e));
      return e;
    });
  };

  const element = (tag, look, s) => {
    const e = make(tag);
    set(e, "style", look);
    put(e, text(s), null);
    return e;
  };

  const add = (undo, up, e, before) => { put(up, e, before); undo.push(() => take(up, e)); };

  let last = { at: -1 }; // the last insertion: the next one at the same place goes behind it
  const insertBehind = (undo, e) => add(undo, parent(last.e), e, next(last.e));
  const remember = (undo, at, e, block) => { const was = last; last = { at, e, block }; undo.push(() => { last = was; }); };

  // insert makes room for new words, after the previous word or before the next one, depending on their white space.
  const insert = (undo, parts, at, step) => {
    const ahead = (!step.before || trails.test(step.before)) && at < all.length, p = partAt(parts, ahead ? at : at - 1);
    if (!p || closed(p.node)) return null;
    const e = element("varve-ins", COME + (step.block ? "block" : "inline") + "!important", "");
    if (step.block && last.at === at) insertBehind(undo, e);
    else if (kind(p.node) !== 3) add(undo, parent(p.node), e, ahead ? p.node : next(p.node));
    else { const i = ahead ? rawAt(p, at) : rawAt(p, at - 1) + 1; cut(undo, p.node, i, i, e); }
    remember(undo, at, e, false);
    return e;
  };

  // insertBlock makes room for a whole block beside its neighbour, with the same element if they are of one kind.
  const LIKE = /^(p|li|dd|dt|blockquote|h[1-6])$/, HEADING = /^h[1-6]$/;
  const insertBlock = (undo, parts, at, step) => {
    const prev = partAt(parts, at - 1), following = partAt(parts, at);
    const a = prev && blockOf(prev.node), b = following && blockOf(following.node), choice = [];
    if (a && !(following && holds(a, following.node))) choice.push([a, true]);
    if (b && !(prev && holds(b, prev.node))) choice.push([b, false]);
    const fits = ([e]) => HEADING.test(name(e)) === step.heading > 0, [beside, behind] = choice.find(fits) || choice[0] || [];
    if (!beside || space(beside) !== space(root)) return insert(undo, parts, at, step);
    const item = LIKE.test(name(beside)), like = item && fits([beside]);
    const e = element("varve-ins", COME + (like ? "inline" : "block") + "!important", ""), whole = like ? copy(beside, false) : e;
    if (like) {
      plain(whole);
      if (styles.has(beside)) restyle(whole, styles.get(beside));
      put(whole, e, null);
    }
    if (last.block && last.at === at) insertBehind(undo, whole);
    else if (item) add(undo, parent(beside), whole, behind ? next(beside) : beside);
    else add(undo, beside, e, behind ? null : first(beside));
    remember(undo, at, whole, true);
    return e;
  };

  // insertCell makes room for a block in a cell of a new table row. The row is behind or before its neighbour, with the same elements.
  const insertCell = (undo, parts, at, step) => {
    const [above, below] = [at - 1, at].map((k) => partAt(parts, k)).map((p) => p && near(parent(p.node), "tr"));
    const beside = !above || below && name(parent(above)) === "thead" ? below : above;
    if (!beside || space(beside) !== space(root)) return insertBlock(undo, parts, at, step);
    const begun = last.at === at && last.row ? last : {}, like = begun.like || beside;
    let { e: tr, cells, td } = begun;
    if (begun.row !== step.row) {
      cells = 0;
      tr = plain(copy(like, false));
      if (styles.has(like)) restyle(tr, styles.get(like));
      if (begun.e) insertBehind(undo, tr);
      else add(undo, parent(like), tr, like === above ? next(like) : like);
    }
    if (begun.row !== step.row || begun.cell !== step.cell) {
      const model = like.cells[cells++];
      td = model && name(model) === "td" ? plain(copy(model, false)) : make("td");
      add(undo, tr, td, null);
    }
    const e = element("varve-ins", COME + "block!important", "");
    add(undo, td, e, null);
    remember(undo, at, tr, false);
    Object.assign(last, { row: step.row, cell: step.cell, cells, td, like });
    return e;
  };

  // plain removes what an element and its copy must not have in common.
  const plain = (e) => { for (const name of ["id", "rowspan", "colspan"]) unset(e, name); return e; };

  const blockOf = (node) => {
    let e = parent(node);
    while (parent(e) !== root && /^(inline|contents)$/.test(display(e))) e = parent(e);
    return e;
  };

  // Blocks that become empty are hidden, so that no bullet remains. styles has their style attributes.
  const styles = new Map();
  const restyle = (e, style) => (style === null ? unset(e, "style") : set(e, "style", style));
  const SOLID = "img,svg,video,audio,canvas,object,embed,iframe,input,button,select,textarea,hr";
  const fold = (e) => {
    const folded = [];
    for (e = parent(e); parent(e) !== root && !words(e).trim() && !one(e, SOLID); e = parent(e)) {
      if (/^(inline|contents|none|table-cell)$/.test(display(e))) continue;
      styles.set(e, attr(e, "style"));
      set(e, "style", (attr(e, "style") || "") + ";display:none!important");
      folded.push(e);
    }
    return () => { while (folded.length) { const e = folded.pop(); restyle(e, styles.get(e)); styles.delete(e); } };
  };

  // unfold opens the elements that hide e until the reader opens them.
  const unfold = (undo, e) => {
    for (e = parent(e); e !== root; e = parent(e)) {
      const details = e;
      if (name(e) !== "details" || attr(e, "open") !== null) continue;
      set(details, "open", "");
      undo.push(() => unset(details, "open"));
    }
  };

  // seen reports whether a part of e is on the screen and not clipped.
  const seen = (e) => [...boxes(e)].slice(0, 50).some((r) => r.width > 1 && r.height > 1 && under(r.x + r.width / 2, r.y + r.height / 2).includes(e));

  const graphemes = (s) => {
    if (!Intl.Segmenter) return [...s];
    return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(s), (g) => g.segment);
  };

  // A typist shows the first letters of a text.
  const typist = (e, s) => {
    const letters = graphemes(s), node = first(e);
    return { length: letters.length, write: (n) => { node.data = n < letters.length ? letters.slice(0, n).join("") : s; } };
  };

  return {
    begin: () => { all = read().map((p) => p.text).join(""); },

    // open marks the place of a step. draw shows a part of the old and of the new text, from 0 to 1 each. undo restores
    // the document, provided that all places opened after this one have been undone.
    open: (step) => {
      const undo = [], found = step.title ? -1 : find(step), parts = found < 0 ? [] : read();
      const dels = step.deleted && found >= 0 ? strike(undo, parts, found, step) : [];
      let ins = null;
      if (step.inserted && found >= 0 && dels) {
        if (dels.length) {
          const last = dels[dels.length - 1];
          ins = element("varve-ins", COME + "inline!important", "");
          add(undo, parent(last), ins, next(last));
        } else ins = (step.row ? insertCell : step.block ? insertBlock : insert)(undo, parts, found, step);
      }
      const target = dels && dels[0] || ins, typists = (dels || []).map((e) => typist(e, kept.get(e))), come = ins && typist(ins, step.inserted);
      const going = typists.reduce((n, t) => n + t.length, 0);
      let raise = () => {};
      undo.push(() => raise());
      if (target) unfold(undo, target);
      return {
        step, target, going, coming: come ? come.length : 0,
        draw: (left, typed) => {
          raise();
          let n = Math.ceil(going * left);
          for (const t of typists) { t.write(Math.min(n, t.length)); n = Math.max(0, n - t.length); }
          if (come) come.write(Math.floor(come.length * typed));
          raise = left === 0 && !come && typists.length ? fold(dels[dels.length - 1]) : () => {};
        },
        undo: () => { while (undo.length) undo.pop()(); },
        top: () => box(target).top,
        seen: () => !!target && [...dels, ins].some((e) => e && seen(e)),
        scroll: (behavior) => target && show(target, { behavior, block: box(target).height > innerHeight / 2 ? "start" : "center", inline: "nearest" }),
      };
    },
  };
})();
