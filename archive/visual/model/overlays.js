// Takes away what lies over the page and moves with the window: cookie bars, dialogs, bars that stick. What is fixed but has half of the page's
// text or more is the page itself and stays. The value of this script is how many elements it took away.
(() => {
  const length = (element) => element.textContent.length;
  const half = document.body ? length(document.body) / 2 : 0;
  let gone = 0;
  for (const element of document.body ? [...document.body.querySelectorAll('*')] : []) {
    const over = getComputedStyle(element).position === 'fixed' || (element.tagName === 'DIALOG' && element.open);
    if (!over || length(element) >= half) continue;
    element.style.setProperty('display', 'none', 'important');
    gone++;
  }
  return gone;
})()
