import type { Page } from "playwright";
import sharp from "sharp";
import { text } from "./person";

/** A file in a drop. */
export type Given = { name: string; type: string; bytes: Buffer };

/** Creates an image of one colour. */
export async function picture(
  name: string,
  color: string,
  width = 900,
  height = 600,
): Promise<Given> {
  const made = sharp({ create: { width, height, channels: 3, background: color } });
  return { name, type: "image/png", bytes: await made.png().toBuffer() };
}

/** Drops files onto the first line of the text. */
export const drop = (page: Page, ...files: Given[]) => dropOnto(page, 0, files);

/** Drops files onto a line by its index. -1 is the last line, which must be visible. */
export async function dropOnto(page: Page, place: number, files: Given[]): Promise<void> {
  await text(page).evaluate(
    (element, [at, brought]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of brought) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const line = [...element.querySelectorAll("p")].at(at) ?? element;
      const { left, bottom } = line.getBoundingClientRect();
      const where = { clientX: left + 2, clientY: bottom - 2 };
      const how = { dataTransfer: data, bubbles: true, cancelable: true, ...where };
      line.dispatchEvent(new DragEvent("drop", how));
    },
    [
      place,
      files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") })),
    ] as const,
  );
}

/** The images in the text. */
export const figures = (page: Page) => text(page).locator("figure.image");
/** Whether a figure's image is drawn, and was loaded from the service rather than this device. */
export const isDrawn = (page: Page, nth = 0) =>
  figures(page)
    .nth(nth)
    .locator("img")
    .evaluate(
      (image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
    );
