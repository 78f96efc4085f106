// Makes every live part of a page live. Where there is one alone, the address keeps its values after the #, such as #fc=2&fs=3.
const parts = document.querySelectorAll(".live");
const alone = parts.length === 1;
const address = (changed) => {
  const text = changed.map(([key, value]) => `${key}=${value}`).join("&");
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
};
parts.forEach(async (root, k) => {
  const runnable = await lawOf(root);
  if (!runnable) return;
  const values = alone ? Object.fromEntries(new URLSearchParams(location.hash.slice(1))) : {};
  start(root, runnable, { name: `law${k}`, values, moved: alone ? address : () => {} });
});
// a page that shows this one in a frame can make the frame as high as what is in it
if (parent !== window) {
  new ResizeObserver(() => parent.postMessage({ height: document.documentElement.offsetHeight }, "*")).observe(document.documentElement);
}
