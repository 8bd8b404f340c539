import { bounds } from "@/events/content/text-schema";
import styles from "./files.module.css";

const [least, most] = bounds.scale;
const bounded = (scale: number) => Math.round(Math.min(most, Math.max(least, scale)));

/**
 * Creates the handle that resizes an image by dragging or the arrow keys. A drag changes this page
 * only, and `resized` is called once at its end.
 */
export function sizeHandle(figure: HTMLElement, resized: (scale: number) => void): HTMLElement {
  const handle = document.createElement("span");
  handle.className = styles.handle ?? "";
  handle.role = "slider";
  handle.tabIndex = 0;
  handle.ariaLabel = "Image width";
  handle.ariaValueMin = String(least);
  handle.ariaValueMax = String(most);
  const show = (scale: number) => {
    figure.style.setProperty("--scale", `${scale}%`);
    handle.ariaValueNow = String(scale);
    handle.ariaValueText = `${scale} percent of the text`;
  };
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const full = figure.parentElement?.clientWidth ?? figure.clientWidth;
    const [from, width] = [event.clientX, figure.clientWidth];
    // A centred image grows on both sides.
    const pull = figure.dataset.align === "center" ? 2 : figure.dataset.align === "right" ? -1 : 1;
    const move = ({ clientX }: PointerEvent) =>
      show(bounded((100 * (width + pull * (clientX - from))) / Math.max(1, full)));
    handle.addEventListener("pointermove", move);
    handle.addEventListener(
      "lostpointercapture",
      () => {
        handle.removeEventListener("pointermove", move);
        resized(Number(handle.ariaValueNow));
      },
      { once: true },
    );
  });
  handle.addEventListener("keydown", (event) => {
    const by = {
      ArrowLeft: -2,
      ArrowDown: -2,
      ArrowRight: 2,
      ArrowUp: 2,
      PageUp: 10,
      PageDown: -10,
    }[event.key];
    const to =
      event.key === "Home"
        ? least
        : event.key === "End"
          ? most
          : by && Number(handle.ariaValueNow) + by;
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(bounded(to));
    resized(bounded(to));
  });
  return handle;
}
