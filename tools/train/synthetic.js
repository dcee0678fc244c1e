// Changes made in a page before its picture is taken. A page is cut short, dressed (some get a theme and furniture of their own) and then
// changed. All choices come from one seed. window.varveSynthetic has the functions that render.py calls.
window.varveSynthetic = (() => {
  let state = 1;
  const random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chance = (p) => random() < p;
  const words = ('harbour river lantern copper meadow winter ticket market bridge orchard signal paper garden engine island summer ' +
    'member account service report system library museum letter window season travel station evening kitchen forest').split(' ');
  const sentence = (n) => { const list = Array.from({ length: n }, () => pick(words)); list[0] = list[0][0].toUpperCase() + list[0].slice(1);
    return list.join(' ') + '.'; };
  const make = (tag, style, html) => { const e = document.createElement(tag); e.style.cssText = style; if (html) e.innerHTML = html; return e; };
  const named = (e, name) => { if (chance(0.5)) e.className = name; e.dataset.varve = name; return e; };
  const furnitureTags = 'nav,header,footer,aside,dialog,[role=dialog],[data-varve],[class*=cookie],[id*=cookie],[class*=menu],[class*=footer]';
  const running = () => [...document.querySelectorAll('p,li,dd,td,blockquote')].filter((e) => {
    const box = e.getBoundingClientRect();
    return e.textContent.trim().length > 60 && !e.closest(furnitureTags) && box.width > 150 && box.height > 10 && !e.querySelector('p,li,dd,td') &&
      [...e.querySelectorAll('a')].reduce((n, a) => n + a.textContent.length, 0) < e.textContent.length / 2;
  });
  const picture = (w, h) => {
    const canvas = document.createElement('canvas');
    canvas.width = w; canvas.height = h;
    const c = canvas.getContext('2d');
    for (let i = 0; i < 40; i++) {
      c.fillStyle = `hsl(${random() * 360} ${random() * 90}% ${20 + random() * 60}%)`;
      c.beginPath(); c.arc(random() * w, random() * h, 5 + random() * w / 5, 0, 7); c.fill();
    }
    c.fillStyle = 'white'; c.font = `${Math.max(12, h / 5)}px sans-serif`;
    c.fillText(pick(words) + ' ' + pick(words), 8, h / 2);
    return `<img width="${w}" height="${h}" style="display:block;max-width:100%" src="${canvas.toDataURL()}">`;
  };
  const colour = (light) => `hsl(${Math.floor(random() * 360)} ${Math.floor(random() * 60)}% ${light}%)`;
  const links = (n, style) => Array.from({ length: n }, () => `<a href="#" style="${style}">${pick(words)}</a>`).join(' ');

  const ad = () => named(make('div', 'margin:8px;overflow:hidden', pick([
    () => picture(300, 250), () => picture(728, 90),
    () => `<div style="background:${colour(85)};padding:14px"><b>${sentence(4)}</b> ${sentence(7)}</div>`])()), pick(['ad', 'ads', 'promo', 'sponsor-box']));
  const menu = () => named(make(pick(['nav', 'div', 'ul']), 'padding:8px', links(4 + Math.floor(random() * 6), 'margin:0 10px')), 'menu');
  const sideList = () => make('div', 'padding:8px', `<b>${pick(words)} ${pick(words)}</b><br>` + links(6, 'display:block;margin:4px 0'));
  const header = () => { const e = named(make(pick(['header', 'div']), `padding:12px;background:${colour(90)}`, `<b style="font-size:26px">${pick(words)}</b>`), 'header');
    e.append(menu()); return e; };
  const footer = () => named(make(pick(['footer', 'div']), `padding:16px;background:${colour(88)};margin-top:20px`,
    links(8, 'margin:0 8px') + `<p style="margin:8px">© 20${10 + Math.floor(random() * 15)} ${sentence(3)} ${sentence(6)}</p>`), 'footer');
  const sidebar = () => { const e = named(make(pick(['aside', 'div']), 'width:260px;flex:none;padding:8px'), 'sidebar');
    e.append(sideList(), ad(), sideList()); return e; };
  const notice = () => named(make('div', `position:fixed;left:0;right:0;bottom:0;z-index:9999;padding:18px;background:${colour(80)}`,
    `We use cookies. ${sentence(14)} <button>${pick(words)}</button>`), pick(['cookie-banner', 'notice']));
  const banner = () => named(make('div', `padding:14px;text-align:center;background:${colour(75)}`, `<b>${sentence(6)}</b>`), pick(['banner', 'alert-bar', 'promo']));

  const cut = (height) => {
    const doomed = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().top + scrollY > height && e.offsetParent);
    doomed.forEach((e) => e.remove());
  };
  const theme = () => {
    const dark = chance(0.3);
    const s = document.getElementById('varve-theme') || document.head.appendChild(make('style', ''));
    s.id = 'varve-theme';
    s.textContent = `body{background:${colour(dark ? 12 : 97)}!important;color:${colour(dark ? 88 : 15)}!important}` +
      `a{color:${colour(dark ? 75 : 35)}!important}h1,h2,h3{color:${colour(dark ? 80 : 30)}!important}`;
  };
  const dress = () => {
    const s = document.head.appendChild(make('style', ''));
    s.textContent = `body{font-family:${pick(['serif', 'sans-serif', 'DejaVu Sans', 'Liberation Serif', 'monospace'])}!important;` +
      `font-size:${14 + Math.floor(random() * 4)}px;line-height:${(1.25 + random() * 0.4).toFixed(2)};margin:0}`;
    if (chance(0.6)) theme();
    const inner = make('div', `flex:1;min-width:0;padding:${Math.floor(random() * 30)}px`);
    inner.append(...document.body.childNodes);
    const row = make('div', `display:flex;max-width:${pick([900, 1000, 1100, 1280])}px;margin:0 auto`);
    row.append(inner);
    if (chance(0.7)) row[pick(['append', 'prepend'])](sidebar());
    if (chance(0.3)) inner.prepend(ad());
    if (chance(0.5)) inner.insertBefore(make('div', 'margin:12px', picture(400, 240)), inner.children[Math.min(2, inner.children.length)] || null);
    document.body.append(...(chance(0.8) ? [header()] : []), row, ...(chance(0.8) ? [footer()] : []));
  };

  const replaceOrAdd = (name, made, otherwise) => {
    const old = [...document.querySelectorAll(`[data-varve="${name}"]`)];
    if (old.length) pick(old).replaceWith(made); else otherwise(made);
  };
  const first = (e) => document.body.prepend(e);
  const last = (e) => document.body.append(e);
  // Changes of furniture: of none of them does the content differ.
  const furniture = {
    ad: () => { const old = [...document.querySelectorAll('[data-varve=ad],[data-varve=ads],[data-varve=promo],[data-varve=sponsor-box]')];
      if (old.length) pick(old).replaceWith(ad()); else pick([first, last])(ad()); },
    banner: () => first(banner()),
    theme,
    menu: () => replaceOrAdd('menu', menu(), first),
    footer: () => replaceOrAdd('footer', footer(), last),
    sidebar: () => replaceOrAdd('sidebar', sidebar(), last),
    notice: () => last(notice()),
    header: () => replaceOrAdd('header', header(), first),
  };
  const edit = (e) => {
    const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim().length > 20) texts.push(walker.currentNode);
    const node = pick(texts);
    if (!node) { e.textContent = sentence(12); return; }
    const list = node.data.split(' ');
    const n = 1 + Math.floor(random() * Math.min(8, list.length / 2));
    const at = Math.floor(random() * Math.max(1, list.length - n));
    list.splice(at, n, ...Array.from({ length: n }, () => pick(words)));
    node.data = list.join(' ');
  };
  const price = (e) => { e.insertAdjacentHTML('beforeend', ` <b>€ ${Math.floor(random() * 90 + 10)}.${Math.floor(random() * 90 + 10)}</b>`); };
  // Changes of the content.
  const content = {
    edited: () => edit(pick(running())),
    price: () => price(pick(running())),
    added: () => { const e = pick(running()); const p = e.cloneNode(false); p.textContent = sentence(8) + ' ' + sentence(10); e.after(p); },
    removed: () => pick(running()).remove(),
    picture: () => { const images = [...document.querySelectorAll('img')].filter((i) => i.width > 150 && i.height > 100 && !i.closest(furnitureTags));
      if (images.length) pick(images).outerHTML = picture(400, 240); else pick(running()).insertAdjacentHTML('beforebegin', picture(400, 240)); },
    heading: () => { const h = [...document.querySelectorAll('h1,h2,h3')].filter((e) => !e.closest(furnitureTags) && e.offsetHeight > 5);
      if (h.length) pick(h).textContent = sentence(3); else edit(pick(running())); },
  };

  let clean, cleanTheme;
  return {
    prepare(seed, height) { state = seed; for (let i = 0; i < 5; i++) random(); cut(height); if (chance(0.6)) dress(); return running().length; },
    save() { clean = document.body.cloneNode(true); cleanTheme = document.getElementById('varve-theme')?.textContent; },
    restore() {
      document.body.replaceWith(clean.cloneNode(true));
      const s = document.getElementById('varve-theme');
      if (s) { if (cleanTheme === undefined) s.remove(); else s.textContent = cleanTheme; }
    },
    furniture: Object.keys(furniture), content: Object.keys(content),
    change(seed, furnitureKinds, contentKinds) {
      state = seed; for (let i = 0; i < 5; i++) random();
      for (const kind of contentKinds) content[kind]();
      for (const kind of furnitureKinds) furniture[kind]();
      return Promise.all([...document.images].map((i) => i.decode ? i.decode().catch(() => 0) : 0)).then(() => 0);
    },
    html: () => document.documentElement.outerHTML,
    // Where the made furniture stands, and the running text that is none.
    truth() {
      const boxes = (list) => list.map((e) => e.getBoundingClientRect()).filter((b) => b.width > 3 && b.height > 3)
        .map((b) => [b.left + scrollX, b.top + scrollY, b.width, b.height].map(Math.round));
      return { furniture: boxes([...document.querySelectorAll('[data-varve]')]), content: boxes(running()) };
    },
  };
})();
0
