/** The smallest size of an image in px. A smaller image is a tracking pixel. */
const leastPixels = 4;
/** The largest size of an icon in px. A larger drawing counts as an image. */
const largestIcon = 48;

/** Matches alternative texts that are emoji, which some pages show as images. */
const emoji = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}\u200d\ufe0f]*$/u;

const withoutTags = (html: string) => html.replace(/<[^<>]*>|&nbsp;/g, " ");

/**
 * Replaces the images of HTML with their alternative texts. Also returns all words, and the number
 * of images other than icons and emoji.
 */
export function withoutPictures(html: string): { html: string; words: string; pictures: number } {
  if (!/<(img|picture|svg|video)\b/i.test(html))
    return { html, words: withoutTags(html), pictures: 0 };
  const page = new DOMParser().parseFromString(html, "text/html");
  let pictures = 0;
  for (const element of page.querySelectorAll("img, svg, video")) {
    // An image copied from Palimpsest keeps its file.
    if (element.closest("figure[data-file]")) continue;
    // The image is the checkbox of a task, which the list item represents itself.
    if (element.getAttribute("aria-roledescription") === "checkbox") {
      element.remove();
      continue;
    }
    const words = (element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "").trim();
    const [width, height] = ["width", "height"].map((name) =>
      Number.parseFloat(element.getAttribute(name) ?? ""),
    );
    const counts = [width, height].some((size) => size !== undefined && size < leastPixels);
    // A drawing that is small or has no size is an icon.
    const isIcon = element.localName === "svg" && !((width ?? NaN) > largestIcon);
    if (!emoji.test(words) && !counts && !isIcon) pictures += 1;
    element.replaceWith(words);
  }
  // The document's head contains the styles of some programs.
  return {
    html: page.documentElement.outerHTML,
    words: withoutTags(page.body.innerHTML),
    pictures,
  };
}

/** Returns the files of a paste or drop, its images of other pages, and whether it has words. */
export function contentOf(data: DataTransfer) {
  const html = data.getData("text/html");
  const { words, pictures } = withoutPictures(html);
  const plainText = html === "" ? data.getData("text/plain") : words;
  const files = [...data.files].map(({ name, type }) => ({ name, type }));
  // A file beside the same words is another form of them, which spreadsheets and word processors
  // copy. The file's own name does not count as words.
  const named = plainText
    .split("\n")
    .every((line) => files.some(({ name }) => line.trim().endsWith(name)));
  return {
    files,
    pictures,
    withText: plainText.trim() !== "" && !(files.length > 0 && named),
  };
}

type Brought = { pictures: number; withText: boolean; dropped: boolean };

/** Returns the sentence that reports images of other pages, which a text does not fetch. */
export function leftOutSentence({ pictures, withText, dropped }: Brought): string {
  const done = dropped ? "dropped" : "pasted";
  if (withText) {
    const [what, was] =
      pictures === 1 ? ["the image in it", "was"] : [`the ${pictures} images in it`, "were"];
    return (
      `The text was ${done}, but ${what} ${was} left out: ` +
      "nothing is fetched from other pages. Copy or save each by itself and add it here."
    );
  }
  const [what, was] =
    pictures === 1 ? ["The image", "wasn’t"] : [`The ${pictures} images`, "weren’t"];
  return `${what} ${was} added: nothing is fetched from other pages. Your text is unchanged. Save it and add it here.`;
}
