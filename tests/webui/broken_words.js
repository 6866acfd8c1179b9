// The words of the story's list that stand on two lines.
() => {
  const range = document.createRange(), broken = [];
  const texts = [...document.querySelectorAll(".entry .what")].flatMap((what) => [...what.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE));
  for (const text of texts) {
    for (const { index, 0: word } of text.data.matchAll(/[^\s-]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word);
    }
  }
  return broken;
}
