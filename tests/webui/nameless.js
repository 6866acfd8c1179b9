// Controls that have no name for those who do not see them.
() => {
  const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length || e.title;
  const controls = [...document.querySelectorAll("button, a, input, select, summary")];
  return controls.filter((e) => e.checkVisibility() && !named(e)).map((e) => e.outerHTML.slice(0, 120));
}
