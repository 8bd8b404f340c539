import { pathOfFile } from "@/events/content/file-attributes";
import styles from "./files.module.css";
import { localAddress } from "./uploads";

/** Shows an image as large as the viewport allows. Escape, a click or its button closes it. */
export function openImage(file: string, alt: string): void {
  const layer = document.createElement("dialog");
  layer.className = styles.large ?? "";
  layer.ariaLabel = alt || "Image";
  const picture = document.createElement("img");
  picture.src = localAddress(file) ?? pathOfFile(file);
  picture.alt = alt;
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.className = styles.button ?? "";
  layer.append(picture, close);
  layer.addEventListener("click", () => layer.close());
  layer.addEventListener("close", () => layer.remove());
  document.body.append(layer);
  layer.showModal();
}
