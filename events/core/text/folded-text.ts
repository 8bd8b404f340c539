/**
 * A text folded for search, with positions in the original: letter `i` begins at `places[i]` and
 * ends at `ends[i]`.
 */
type FoldedText = { text: string; places: number[]; ends: number[] };

// `private.folded`, `private.gram_letters` and `private.word_breaks` define the same sets. A test
// compares them.
const marks = [
  "\\u00ad\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a",
  "\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff",
  "\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufeff",
];
/** Letters of scripts that write no spaces between words, or several words between two spaces. */
const grams = [
  "\\u0e01-\\u0e2e\\u0e30-\\u0e4e\\u0e81-\\u0ece\\u1000-\\u1049\\u1050-\\u109f\\u1780-\\u17d3\\u2600-\\u27bf",
  "\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3105-\\u312f",
  "\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff",
  "\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3ffff}",
];
const breaks = [
  "\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7",
  "\\u00f7\\u02c2-\\u02df\\u037e\\u0387\\u055a-\\u055f\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05c6\\u05f3\\u05f4",
  "\\u0600-\\u060f\\u061b-\\u061f\\u066a-\\u066d\\u06d4\\u06dd\\u06de\\u0964\\u0965\\u0e2f\\u0e4f\\u0e5a\\u0e5b",
  "\\u104a-\\u104f\\u17d4-\\u17da\\u1680\\u2000-\\u206f\\u207a-\\u207e\\u208a-\\u208e\\u20a0-\\u20cf\\u2190-\\u25ff",
  "\\u27c0-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303d-\\u3040\\u30a0\\u30fb\\ue000-\\uf8ff",
  "\\ufd3e\\ufd3f\\ufe10-\\ufe6f\\uff01-\\uff0f\\ufff0-\\uffff",
];
const [gramLetters, wordBreaks] = [grams.join(""), breaks.join("")];
const anyMark = new RegExp(`[${marks.join("")}]`, "gu");
/** Matches a word, or a run of letters of a script without word breaks. */
export const searchedRun = new RegExp(
  `[${gramLetters}]+|[^${gramLetters}${wordBreaks}\\u0000]+`,
  "gu",
);
const gramLetter = new RegExp(`[${gramLetters}]`, "u");
/** Whether a run belongs to a script without word breaks. */
export const isGram = (run: string) => gramLetter.test(run);

const written: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ...Object.fromEntries(
    [..."øđðłıςىة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹"].map((letter, at) => [
      letter,
      [..."oddliσيه01234567890123456789"][at] ?? "",
    ]),
  ),
};

/** A letter with its combining marks. */
const cluster = /[^\p{M}]\p{M}*|\p{M}+/gu;
const simple = /^[ -~]*$/;

function folded(letters: string): string {
  const plain = letters.normalize("NFKD").replace(anyMark, "").normalize("NFC").toLowerCase();
  return [...plain].map((letter) => written[letter] ?? letter).join("");
}

/** Folds a text for search, ignoring case and diacritics. */
export function foldText(content: string): FoldedText {
  if (simple.test(content)) {
    const places = Array.from(content, (_, at) => at);
    return { text: content.toLowerCase(), places, ends: places.map((at) => at + 1) };
  }
  let text = "";
  const [places, ends]: [number[], number[]] = [[], []];
  for (const { 0: letters, index } of content.matchAll(cluster)) {
    const plain = folded(letters);
    text += plain;
    for (let at = 0; at < plain.length; at += 1) {
      places.push(index);
      ends.push(index + letters.length);
    }
  }
  return { text, places, ends };
}
