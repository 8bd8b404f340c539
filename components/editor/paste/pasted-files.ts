/** A smaller image is a tracking pixel, not content; pixels. */
const leastPixels = 4;
/** A drawing up to this size is an icon beside words; pixels. */
const largestIcon = 48;

/** Alternative texts that are emoji, which some pages show as images. */
const emoji = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}\u200d\ufe0f]*$/u;

const withoutTags = (html: string) => html.replace(/<[^<>]*>|&nbsp;/g, " ");

/**
 * Replaces the images of HTML by their alternative texts. Also returns all words, and the number of
 * images that are more than icons or emoji.
 */
export function withoutPictures(html: string): { html: string; words: string; pictures: number } {
  if (!/<(img|picture|svg|video)\b/i.test(html))
    return { html, words: withoutTags(html), pictures: 0 };
  const page = new DOMParser().parseFromString(html, "text/html");
  let pictures = 0;
  for (const element of page.querySelectorAll("img, svg, video")) {
    // An image of this product keeps the file that it names.
    if (element.closest("figure[data-file]")) continue;
    // The checkbox of a task, which the list item states in its own way.
    if (element.getAttribute("aria-roledescription") === "checkbox") {
      element.remove();
      continue;
    }
    const words = (element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "").trim();
    const [width, height] = ["width", "height"].map((name) =>
      Number.parseFloat(element.getAttribute(name) ?? ""),
    );
    const counts = [width, height].some((size) => size !== undefined && size < leastPixels);
    // A drawing that is small or states no size is an icon.
    const isIcon = element.localName === "svg" && !((width ?? NaN) > largestIcon);
    if (!emoji.test(words) && !counts && !isIcon) pictures += 1;
    element.replaceWith(words);
  }
  // The head of the document has the styles of some programs.
  return {
    html: page.documentElement.outerHTML,
    words: withoutTags(page.body.innerHTML),
    pictures,
  };
}

/** The parts of a paste or drop: its files, its images of other pages, and whether it has words. */
export function contentOf(data: DataTransfer) {
  const html = data.getData("text/html");
  const { words, pictures } = withoutPictures(html);
  const plainText = html === "" ? data.getData("text/plain") : words;
  const files = [...data.files].map(({ name, type }) => ({ name, type }));
  // A file with the same words is another form of them, as spreadsheets and word processors copy
  // it. Its own name does not count as words.
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

/** The sentence that reports images of other pages, which a text does not fetch. */
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
