// Zoom and pan of a picture by its viewBox: wheel, drag, two fingers, buttons and keys.
import { zoomBox } from "./layout.js";

export class View {
  /** @param {any} picture @param {number[]} frame left, top, width, height @param {number} lines */
  constructor(picture, frame, lines) {
    this.picture = picture;
    this.frame = frame;
    this.box = [...frame];
    this.lines = Math.max(1, lines);
    this.pointers = new Map();
    this.reset(frame);
    picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, (event) => this.up(event));
    picture.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(picture);
  }

  reset(frame = this.frame) {
    this.frame = frame;
    this.box = [...frame];
    this.draw();
  }

  draw() {
    this.picture.setAttribute("viewBox", this.box.join(" "));
    this.picture.classList.toggle("zoomed", this.zoomed());
    // The distance between lines is estimated: a line of text is about twelve times as long.
    const { width, height } = this.picture.getBoundingClientRect();
    const scale = Math.min(width / this.box[2], height / this.box[3]);
    const pitch = scale * Math.sqrt(this.frame[2] * this.frame[3] / this.lines / 12);
    this.picture.style.setProperty("--ink", `${Math.min(2, Math.max(0.6, pitch / 9)).toFixed(2)}px`);
    this.picture.style.setProperty("--hit", `${Math.min(20, Math.max(3, 0.8 * pitch)).toFixed(1)}px`);
  }

  zoomed() {
    return this.box[2] < 0.999 * this.frame[2];
  }

  // The page coordinates of a point on the screen.
  at(clientX, clientY) {
    const matrix = this.picture.getScreenCTM();
    return matrix ? [(clientX - matrix.e) / matrix.a, (clientY - matrix.f) / matrix.d] : [this.box[0], this.box[1]];
  }

  zoom(factor, [x, y] = this.middle()) {
    const most = Math.min(this.frame[2] / this.box[2], factor < 1 ? Infinity : factor);
    const scale = factor > 1 ? most : Math.max(factor, this.frame[2] / 40 / this.box[2]);
    this.box = [x - (x - this.box[0]) * scale, y - (y - this.box[1]) * scale, this.box[2] * scale, this.box[3] * scale];
    this.keepInside();
  }

  pan(dx, dy) {
    this.box[0] += dx;
    this.box[1] += dy;
    this.keepInside();
  }

  keepInside() {
    for (const axis of [0, 1]) {
      const [start, size] = [this.frame[axis], this.frame[axis + 2]];
      this.box[axis] = Math.min(Math.max(this.box[axis], start), start + size - this.box[axis + 2]);
    }
    this.draw();
  }

  middle() {
    return [this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2];
  }

  // Shows a part of the page as large as fits.
  /** @param {number[]} box left, top, right, bottom */
  zoomTo(box) {
    this.box = zoomBox(box, this.frame);
    this.draw();
  }

  // Moves the view so that a point of the page is visible.
  show(x, y) {
    const inside = [x - this.box[0], y - this.box[1]].every((d, axis) => d > 0 && d < this.box[axis + 2]);
    if (inside) return;
    const [middleX, middleY] = this.middle();
    this.pan(x - middleX, y - middleY);
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, this.at(event.clientX, event.clientY));
  }

  down(event) {
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.dragged = false;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    if (!this.dragged && Math.hypot(dx, dy) < 4) return;
    if (!this.dragged) this.picture.setPointerCapture(event.pointerId);
    this.dragged = true;
    const spread = this.spread();
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const scale = this.picture.getScreenCTM()?.a ?? 1;
    if (this.pointers.size === 2 && spread > 0) this.zoom(spread / this.spread(), this.at(event.clientX, event.clientY));
    else this.pan(-dx / scale, -dy / scale);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }

  spread() {
    const [first, second] = [...this.pointers.values()];
    return second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 0;
  }

  key(event) {
    const step = this.box[2] / 8;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) this.pan(...moves[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
