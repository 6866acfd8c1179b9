// Millimetres on the board plane: origin at the printed top-left corner, x right, y down, angles clockwise.

export const radians = (degrees) => (degrees * Math.PI) / 180;

/** The fields of a board file with their middles worked out; order as in the file. */
export function prepareBoard(data) {
  const fields = new Map();
  for (const field of data.fields) {
    const centre = field.polygon ? centroid(field.polygon) : [field.x, field.y];
    fields.set(field.id, { ...field, angle_deg: field.angle_deg ?? 0, centre });
  }
  return { ...data, fields, middle: [data.size_mm[0] / 2, data.size_mm[1] / 2] };
}

export function centroid(polygon) {
  let area = 0, x = 0, y = 0;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    const cross = ax * by - bx * ay;
    area += cross; x += (ax + bx) * cross; y += (ay + by) * cross;
  });
  return [x / (3 * area), y / (3 * area)];
}

/** Point at a direction (degrees clockwise from the top) and distance from a middle. */
export function around([cx, cy], direction_deg, radius_mm) {
  const turn = radians(direction_deg);
  return [cx + radius_mm * Math.sin(turn), cy - radius_mm * Math.cos(turn)];
}

/** Direction of a point seen from a middle, degrees clockwise from the top. */
export function direction([cx, cy], [x, y]) {
  return ((Math.atan2(x - cx, cy - y) * 180) / Math.PI + 360) % 360;
}

export const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

export const number = (value) => +value.toFixed(2);
export const pointsText = (points) => points.map((p) => p.map(number).join(",")).join(" ");

/** Where a piece lies: its middle, the direction it lies along, and how high above the board it begins. */
export function placeOf(board, piece) {
  const heightUnder = piece.on === "trilith" ? board.pieces.trilith?.height_mm ?? 0 : 0;
  if (piece.fields) {
    const [a, b] = piece.fields.map((id) => board.fields.get(id)?.centre ?? board.middle);
    const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
    return { at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], angle, heightUnder };
  }
  const field = board.fields.get(piece.field);
  if (piece.x_mm !== undefined && piece.y_mm !== undefined && (!field || ["yard", "altar"].includes(field.kind))) {
    return { at: [piece.x_mm, piece.y_mm], angle: piece.angle_deg ?? 0, heightUnder };
  }
  if (!field) return null;
  return { at: field.centre, angle: field.angle_deg, heightUnder };
}

/** The place of a piece as the engine writes it: "ring-7", "ring-4+ring-5", "trilith-2^". */
export function placeName(piece) {
  const base = piece.fields ? piece.fields.join("+") : piece.field;
  return base && piece.on === "trilith" ? `${base}^` : base ?? "";
}

/** The fields of a place's name. */
export const fieldsOf = (place) => place.replace("^", "").split("+");

/** The 3x3 matrix (row by row) that maps four points onto four others; null if they do not allow it. */
export function homography(from, to) {
  const rows = [];
  from.forEach(([x, y], i) => {
    const [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  for (let c = 0; c < 8; c++) {
    let pivot = c;
    for (let r = c + 1; r < 8; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[pivot][c])) pivot = r;
    if (Math.abs(rows[pivot][c]) < 1e-12) return null;
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    for (let r = 0; r < 8; r++) {
      if (r === c) continue;
      const k = rows[r][c] / rows[c][c];
      for (let j = c; j < 9; j++) rows[r][j] -= k * rows[c][j];
    }
  }
  return [...rows.map((row, i) => row[8] / row[i]), 1];
}

export function project(m, [x, y]) {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** The outline of a field as a closed polygon. */
export function outline(field, corners = 24) {
  if (field.polygon) return field.polygon;
  return Array.from({ length: corners }, (_, i) => around(field.centre, (360 / corners) * i, field.radius_mm));
}
