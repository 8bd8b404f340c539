/** A picture that is smaller than this is no picture of the text, but a mark that counts its readers. */
const leastPixels = 4;

/** The letters of the emoji that some pages show as pictures. */
const emoji = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}\u200d\ufe0f]*$/u;

/** HTML with the words of its pictures in their place, and how many pictures it had that are more than such words. */
export function withoutPictures(html: string): { html: string; pictures: number } {
  if (!/<(img|picture|svg|video)\b/i.test(html)) return { html, pictures: 0 };
  const page = new DOMParser().parseFromString(html, "text/html");
  let pictures = 0;
  for (const element of page.querySelectorAll("img, svg, video")) {
    const words = (element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "").trim();
    const [width, height] = ["width", "height"].map((name) =>
      Number.parseFloat(element.getAttribute(name) ?? ""),
    );
    const counts = [width, height].some((size) => size !== undefined && size < leastPixels);
    if (!emoji.test(words) && !counts) pictures += 1;
    element.replaceWith(words);
  }
  return { html: page.body.innerHTML, pictures };
}

type Brought = {
  files: readonly { name: string; type: string }[];
  pictures: number;
  withText: boolean;
  dropped: boolean;
};

const isPicture = ({ type }: { type: string }) => type.startsWith("image/");

/** What is said where somebody pastes or drops what a text cannot hold; null where nothing of it is left out. */
export function leftOutSentence({ files, pictures, withText, dropped }: Brought): string | null {
  const done = dropped ? "dropped" : "pasted";
  if (withText) {
    if (pictures === 0) return null;
    const [what, was] =
      pictures === 1 ? ["the image in it", "was"] : [`the ${pictures} images in it`, "were"];
    return (
      `The text was ${done}, but ${what} ${was} left out: ` +
      "documents can’t hold images yet. You can add a link " +
      "instead."
    );
  }
  if (pictures === 0 && files.length === 0) return null;
  const kind = files.every(isPicture) ? "image" : "file";
  const count = Math.max(files.length, pictures);
  const [what, was] =
    count === 1 ? [`The ${kind}`, "wasn’t"] : [`The ${count} ${kind}s`, "weren’t"];
  return `${what} ${was} added: documents can’t hold ${kind}s yet. Your text is unchanged. You can add a link instead.`;
}
