// The boxes of a page's blocks: an array of {kind, x, y, w, h} in page pixels, at most 4,000. A place may have boxes of several kinds: an
// image in an article in the content. Kinds are those of Kinds in blocks.go. The value of this script is the array.
(() => {
  const most = 4000;
  const named = {
    notice: /cookie|consent|gdpr|onetrust|didomi|popup|modal|dialog|newsletter-?bar|alert-?bar/,
    ad: /(^|[-_ ])(ads?|advert\w*|adsbygoogle|adslot|sponsor\w*|promo\w*|dfp|banner-?ad)([-_ ]|$)/,
    comments: /(^|[-_ ])(comments?|disqus\w*|respond)([-_ ]|$)/,
    logo: /(^|[-_ ])(logo|brand|site-?title)([-_ ]|$)/,
    search: /(^|[-_ ])search/,
    menu: /(^|[-_ ])(nav|navbar|navigation|menu|breadcrumbs?)([-_ ]|$)/,
    footer: /footer|colophon|(^|[-_ ])copyright/,
    header: /(^|[-_ ])(header|masthead|topbar|top-?bar|page-?head)([-_ ]|$)|site-?header|page-?header/,
    sidebar: /(^|[-_ ])(sidebar|side-?bar|side-?nav|aside|rail|widgets?|toc)([-_ ]|$)/,
    content: /(^|[-_ ])(content|main|main-?content|post-?body|entry-?content|article-?body)([-_ ]|$)/,
  };
  const tags = {
    HEADER: 'header', FOOTER: 'footer', ASIDE: 'sidebar', MAIN: 'content', NAV: 'menu', H1: 'title', H2: 'title', ARTICLE: 'article',
    TABLE: 'table', IMG: 'image', PICTURE: 'image', SVG: 'image', CANVAS: 'image', VIDEO: 'video', DIALOG: 'notice', INS: 'ad',
  };
  const roles = {
    banner: 'header', contentinfo: 'footer', complementary: 'sidebar', main: 'content', navigation: 'menu', menubar: 'menu',
    search: 'search', dialog: 'notice', alertdialog: 'notice', article: 'article', feed: 'article', table: 'table',
  };
  const kindsOf = (element, style) => {
    const kinds = new Set();
    const tag = element.tagName.toUpperCase();
    if (tags[tag]) kinds.add(tags[tag]);
    const role = roles[element.getAttribute('role')];
    if (role) kinds.add(role);
    const name = (element.id + ' ' + (element.getAttribute('class') || '')).toLowerCase();
    const big = element.getBoundingClientRect().height > 0.6 * document.documentElement.scrollHeight;
    for (const kind in named) if (named[kind].test(name) && (kind === 'content' || !big)) kinds.add(kind);
    if (tag === 'INPUT' && element.type === 'search') kinds.add('search');
    if (tag === 'IFRAME') kinds.add(/youtube|vimeo|video/.test(element.src) ? 'video' : 'ad');
    if (style.position === 'fixed' && !big) kinds.add('notice');
    if (tag === 'UL' || tag === 'OL' || tag === 'DIV') if (isLinkList(element)) kinds.add('links');
    return kinds;
  };
  const isLinkList = (element) => {
    if (element.childElementCount < 3 || element.childElementCount > 200) return false;
    const all = element.textContent.trim().length;
    let inLinks = 0;
    let links = 0;
    for (const link of element.querySelectorAll('a')) {
      inLinks += link.textContent.trim().length;
      links++;
    }
    return links >= 3 && links <= 400 && inLinks > 0.75 * all;
  };
  // Where no element is said to be the content: the smallest that has most of the running text.
  const mostText = () => {
    const running = [...document.querySelectorAll('p,li,dd,td,blockquote,pre')]
      .filter((e) => e.textContent.length > 60 && !e.closest('nav,header,footer,aside'));
    const length = (e) => e.textContent.length;
    const total = running.reduce((sum, e) => sum + length(e), 0);
    let best = document.body;
    for (;;) {
      const next = best && [...best.children].find((child) =>
        running.reduce((sum, e) => sum + (child.contains(e) ? length(e) : 0), 0) > 0.7 * total);
      if (!next || total === 0) return best;
      best = next;
    }
  };
  const boxes = [];
  const add = (kind, element) => {
    const box = element.getBoundingClientRect();
    if (box.width < 4 || box.height < 4 || boxes.length >= most) return;
    const x = Math.round(box.left + scrollX);
    const y = Math.round(box.top + scrollY);
    boxes.push({ kind, x, y, w: Math.round(box.width), h: Math.round(box.height) });
  };
  if (!document.body) return boxes;
  for (const element of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility === 'hidden') continue;
    for (const kind of kindsOf(element, style)) add(kind, element);
  }
  if (!boxes.some((box) => box.kind === 'content')) {
    const content = mostText();
    if (content) add('content', content);
  }
  return boxes;
})()
