// Texts whose contrast with what lies under them is below 4.5 (3 for large ones), with that contrast.
() => {
  const rgb = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const linear = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, under) => under.map((v, i) => top[i] * (top[3] ?? 1) + v * (1 - (top[3] ?? 1)));
  const ground = (element) => {
    const chain = [];
    for (let e = element; e; e = e.parentElement) chain.unshift(rgb(getComputedStyle(e).backgroundColor));
    return chain.reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const found = [];
  for (const e of document.querySelectorAll("header *, .head *, .side *, .story-box *")) {
    const words = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    if (!words.length || e.closest("[disabled], .unseen, svg, select") || !e.checkVisibility()) continue;
    const style = getComputedStyle(e), size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 650;
    const under = ground(e), a = light(over(rgb(style.color), under)), b = light(under);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const least = size >= 24 || (bold && size >= 18.6) ? 3 : 4.5;
    if (ratio < least) found.push(`${e.className || e.tagName}: ${words[0].data.trim()} ${ratio.toFixed(2)}`);
  }
  return found;
}
