// The controls that are smaller than a finger, 44 px either way; what lies under a label is as large as the label.
() => [...document.querySelectorAll("button, a, summary, select, input:not([type=file]), label.button, label.item, label.file")]
  .filter((each) => each.checkVisibility() && !each.classList.contains("unseen") && !each.closest("label.check"))
  .map((each) => [each.dataset.key ?? each.className, Math.round(each.getBoundingClientRect().width), Math.round(each.getBoundingClientRect().height)])
  .filter(([, width, height]) => width < 44 || height < 44)
