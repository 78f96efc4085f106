// A live part in a cell of a notebook: its sliders and the values in the notebook's program follow each other.
async function render({ model, el }) {
  const part = tree(el, model).querySelector(".live");
  const runnable = await lawOf(part);
  if (!runnable) return undefined;
  const { keys, values: given } = runnable.about;
  const all = Object.fromEntries(keys.map((key, k) => [key, given[k]]));
  const moved = (changed) => {
    const values = { ...all, ...Object.fromEntries(changed) };
    const same = keys.every((key) => values[key] === model.get("values")[key]);
    if (same) return;
    model.set("values", values);
    model.save_changes();
  };
  const name = `law${Math.random().toString(36).slice(2)}`;
  const set = start(part, runnable, { name, values: model.get("values"), moved });
  const follow = () => set(model.get("values"));
  model.on("change:values", follow);
  return () => model.off("change:values", follow);
}
export default { render };
