// The browser's own camera: its devices, a preview, and single pictures as JPEG.

import { h } from "../dom.js";

const QUALITY = 0.92;
const video = h("video", { autoplay: true, playsinline: true, muted: true, "aria-label": "camera" });
let stream = null, list = [], changed = () => {}, frames = [];

export const possible = () => Boolean(navigator.mediaDevices?.getUserMedia);
export const isOn = () => Boolean(stream?.active);
export const devices = () => list;
export const chosen = () => stream?.getVideoTracks()[0]?.getSettings().deviceId;
export const onchange = (listener) => { changed = listener; };

/** Opens a camera (a device id, or the one that looks at the table) with as many pixels as it has. */
export async function start(deviceId) {
  stop();
  const wanted = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  if (deviceId) wanted.deviceId = { exact: deviceId };
  else wanted.facingMode = { ideal: "environment" };
  stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
  list = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
  video.srcObject = stream;
  video.muted = true;
  await video.play();
  stream.getVideoTracks()[0].addEventListener("ended", () => { stream = null; changed(); });
  frames = [];
  count();
  changed();
}

export function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
}

/** The preview, where a camera is on. */
export const view = () => (isOn() ? video : null);

/** The picture of this moment. */
export async function grab() {
  if (!isOn()) throw new Error("no camera");
  if (video.paused) await video.play();
  const canvas = h("canvas", { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/** Pictures per second in the last seconds. */
export function rate() {
  const now = performance.now();
  frames = frames.filter((at) => now - at < 3000);
  return Math.round((frames.length / 3) * 10) / 10;
}

function count() {
  if (!video.requestVideoFrameCallback) return;
  video.requestVideoFrameCallback(() => { frames.push(performance.now()); if (isOn()) count(); });
}
