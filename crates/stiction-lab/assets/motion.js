// The moving picture of a run of the lab.
import { h } from "./dom.js";
import { film } from "./film.js";
import { series } from "./traces.js";

/** The picture of a run with its controls, or nothing if nothing moves. `links` have kind and between. */
export async function motion(source, columns, links = []) {
  const places = columns.filter((column) => /\.(x|angle|q)$/.test(column.name) && ["m", "rad"].includes(column.unit)).slice(0, 8);
  if (places.length === 0) return null;
  const data = await series(source, [columns[0], ...places]);
  if ((data.columns[0] ?? []).length < 2) return null;
  const { stage, row, follows } = film(data, places, links);
  return h("figure", {}, h("h2", {}, "Motion"), stage, row,
    h("figcaption", {}, follows ? "The picture goes with the bodies; the scale below moves." : null));
}
