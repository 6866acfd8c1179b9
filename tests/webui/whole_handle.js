// Whether a corner's handle and its name are whole: nothing clips them, nothing lies over them.
(name) => {
  const handle = document.querySelector(`[data-key="${name}"]`);
  handle.scrollIntoView({ block: "center" });
  const shows = (box, across, down) => handle.contains(document.elementFromPoint(box.left + across * box.width, box.top + down * box.height));
  const ring = handle.getBoundingClientRect(), words = handle.querySelector("span").getBoundingClientRect();
  return [0.1, 0.5, 0.9].every((share) => shows(ring, share, 0.5) && shows(ring, 0.5, share)) && [0.1, 0.9].every((share) => shows(words, share, 0.5));
}
