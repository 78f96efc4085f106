// A page of a law within another page, as high as what is on it.
import { h } from "./dom.js";

/** A frame for a live page, which tells its height whenever that changes. */
export function lawFrame(src) {
  const frame = h("iframe", { title: "the law with sliders", sandbox: "allow-scripts", src });
  addEventListener("message", (event) => {
    const height = event.data?.height;
    if (event.source === frame.contentWindow && Number.isFinite(height) && height > 0 && height < 20000) frame.height = String(Math.ceil(height));
  });
  return frame;
}
