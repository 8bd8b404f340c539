/** A picture that is smaller than this is no picture of the text, but a mark that counts its readers. */
const leastPixels = 4;
/** A drawing up to this size is a sign beside words. */
const largestIcon = 48;

/** The letters of the emoji that some pages show as pictures. */
const emoji = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}\u200d\ufe0f]*$/u;

const withoutTags = (html: string) => html.replace(/<[^<>]*>|&nbsp;/g, " ");

/**
 * HTML with the words of its pictures in their place, those words among its others, and how many
 * pictures it had that are more than such words.
 */
export function withoutPictures(html: string): { html: string; words: string; pictures: number } {
  if (!/<(img|picture|svg|video)\b/i.test(html))
    return { html, words: withoutTags(html), pictures: 0 };
  const page = new DOMParser().parseFromString(html, "text/html");
  let pictures = 0;
  for (const element of page.querySelectorAll("img, svg, video")) {
    // An image of ours brings the file that it names.
    if (element.closest("figure[data-file]")) continue;
    // The box of a task, which the item says in a way of its own.
    if (element.getAttribute("aria-roledescription") === "checkbox") {
      element.remove();
      continue;
    }
    const words = (element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "").trim();
    const [width, height] = ["width", "height"].map((name) =>
      Number.parseFloat(element.getAttribute(name) ?? ""),
    );
    const counts = [width, height].some((size) => size !== undefined && size < leastPixels);
    // A drawing that does not say how large it is, or is small, is an icon of the page.
    const isIcon = element.localName === "svg" && !((width ?? NaN) > largestIcon);
    if (!emoji.test(words) && !counts && !isIcon) pictures += 1;
    element.replaceWith(words);
  }
  // What programs say of their styles stands in the head.
  return {
    html: page.documentElement.outerHTML,
    words: withoutTags(page.body.innerHTML),
    pictures,
  };
}

/** What is pasted or dropped: its files, its pictures of other pages, and whether there are words. */
export function contentOf(data: DataTransfer) {
  const html = data.getData("text/html");
  const { words, pictures } = withoutPictures(html);
  const plainText = html === "" ? data.getData("text/plain") : words;
  const files = [...data.files].map(({ name, type }) => ({ name, type }));
  // A file that comes with words is another form of them, as spreadsheets and word processors bring
  // it; its name is none.
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

/** What is said where somebody pastes or drops pictures of other pages, which a text does not fetch. */
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
