// The page of one run: its picture starts to move.
const run = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
const { stage, row, follows, play } = film(run, run.places, run.links);
document.getElementById("motion").replaceChildren(stage, row, h("figcaption", {}, follows ? "The picture goes with the bodies; the scale below moves." : null));
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) requestAnimationFrame(() => play(true));
