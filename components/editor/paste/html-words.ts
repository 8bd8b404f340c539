import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** Elements whose content is not displayed. */
const unseen = new Set(["noscript", "script", "style", "template", "textarea", "title"]);
const blocks = new Set(
  (
    "address article aside blockquote br caption dd details div dl dt figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);
const opening = /<(?:!--|[/?!]?[a-z][^\s<>/]*)/gi;
const reference = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z\d]{1,32}));/gi;

function letterOf(code: number): string {
  const isLetter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isLetter ? String.fromCodePoint(code) : "\ufffd";
}

const decoded = (text: string) =>
  text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return letterOf(Number.parseInt(hex, 16));
    if (decimal !== undefined) return letterOf(Number(decimal));
    return decodeNamedCharacterReference(name ?? "") || whole;
  });

/** Returns an indexOf that remembers which strings do not occur any more. */
function finder(text: string) {
  const missing = new Set<string>();
  return (what: string, from: number): number => {
    if (missing.has(what)) return -1;
    const at = text.indexOf(what, from);
    if (at < 0) missing.add(what);
    return at;
  };
}

/**
 * Returns HTML without comments and invisible elements. Each end tag is searched for once, so the
 * time is linear even for HTML without end tags.
 */
export function shownHtml(html: string): string {
  const find = finder(html.toLowerCase());
  const kept: string[] = [];
  let from = 0;
  opening.lastIndex = 0;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const sign = found[0].toLowerCase();
    const name = sign.slice(1);
    if (sign !== "<!--" && !unseen.has(name)) continue;
    // `<!-->` is a whole comment.
    const end = sign === "<!--" ? find("-->", found.index + 2) : find(`</${name}`, found.index);
    if (end < 0) continue;
    const close = sign === "<!--" ? end + 2 : find(">", end);
    if (close < 0) continue;
    kept.push(html.slice(from, found.index));
    from = opening.lastIndex = close + 1;
  }
  kept.push(html.slice(from));
  return kept.join("");
}

/** Returns the text of HTML as lines, without a tree. For HTML that is too large to parse. */
export function wordsOfHtml(html: string): string {
  const shown = shownHtml(html);
  const words: string[] = [];
  let from = 0;
  opening.lastIndex = 0;
  for (let found = opening.exec(shown); found !== null; found = opening.exec(shown)) {
    const next = shown.indexOf("<", opening.lastIndex);
    const upTo = next < 0 ? shown.length : next;
    const close = shown.slice(found.index, upTo).indexOf(">");
    words.push(shown.slice(from, found.index).replace(/\s+/g, " "));
    const name = found[0].replace(/^<[/?!]?/, "").toLowerCase();
    if (blocks.has(name)) words.push("\n");
    if (name === "td" || name === "th") words.push("\t");
    from = close < 0 ? upTo : found.index + close + 1;
    opening.lastIndex = from;
  }
  words.push(shown.slice(from).replace(/\s+/g, " "));
  const lines = decoded(words.join("")).split("\n");
  return lines
    .map((line) => line.replaceAll("\u00a0", " ").replace(/\t+/g, "\t").trim())
    .filter((line) => line !== "")
    .join("\n");
}
