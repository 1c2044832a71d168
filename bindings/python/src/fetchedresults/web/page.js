import "./lists/fetchedresults.js";

const list = document.querySelector("fr-list");
const search = document.querySelector("input");
const buttons = [...document.querySelectorAll("[data-column]")];
let [order, timer] = ["", null];

function show() {
  list.setAttribute("src", `lists/rows?${new URLSearchParams({ search: search.value, order })}`);
}

for (const button of buttons) {
  const { column } = button.dataset;
  button.addEventListener("click", () => {
    order = { [column]: `-${column}`, [`-${column}`]: "" }[order] ?? column;
    for (const each of buttons) {
      const isSorted = each === button && order !== "";
      each.setAttribute("aria-pressed", isSorted);
      each.toggleAttribute("data-descending", isSorted && order.startsWith("-"));
    }
    show();
  });
}
search.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, 200);
});
