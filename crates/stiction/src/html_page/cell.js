// A part of a page in a cell of a notebook. It has a tree of its own, so that its style and that of the notebook do not meet.
function tree(el, model) {
  const host = document.createElement("div");
  // the theme of JupyterLab or of Visual Studio Code; else that of the screen
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight === "false" || classList.contains("vscode-dark")) host.dataset.theme = "dark";
  else if (dataset.jpThemeLight === "true" || classList.contains("vscode-light")) host.dataset.theme = "light";
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = model.get("_markup");
  const style = document.createElement("style");
  style.textContent = model.get("_style");
  root.prepend(style);
  el.append(host);
  return root;
}
