// The moving picture of a run in a cell of a notebook.
function render({ model, el }) {
  const picture = moving(tree(el, model).querySelector("figure"), JSON.parse(model.get("_data")));
  return () => picture.play(false);
}
export default { render };
