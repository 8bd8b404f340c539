import { Font } from "@react-pdf/renderer";
import LineBreaker from "linebreak";
import { join } from "node:path";

const files = (path: string) => join(process.cwd(), "node_modules", path);
const literata = (style: string) =>
  files(`@expo-google-fonts/literata/${style}/Literata_${style}.ttf`);
const mono = (style: string) =>
  files(`@expo-google-fonts/jetbrains-mono/${style}/JetBrainsMono_${style}.ttf`);
const emoji = files("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf");
const symbols = files(
  "@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf",
);
const math = files("@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf");
const noto = (script: string, weight: number) =>
  files(
    `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
  );
const eastAsian = (code: "SC" | "TC" | "JP" | "KR") => {
  const face = (style: string) =>
    files(
      `@expo-google-fonts/noto-sans-${code.toLowerCase()}/${style}/NotoSans${code}_${style}.ttf`,
    );
  return { normal: face("400Regular"), bold: face("700Bold") };
};

type Faces = { normal: string; bold: string; italic?: string; boldItalic?: string };

const families = {
  Literata: {
    normal: literata("400Regular"),
    bold: literata("700Bold"),
    italic: literata("400Regular_Italic"),
    boldItalic: literata("700Bold_Italic"),
  },
  Hebrew: { normal: noto("hebrew", 400), bold: noto("hebrew", 700) },
  Arabic: { normal: noto("arabic", 400), bold: noto("arabic", 700) },
  Chinese: eastAsian("SC"),
  "Traditional Chinese": eastAsian("TC"),
  Japanese: eastAsian("JP"),
  Korean: eastAsian("KR"),
  Mono: { normal: mono("400Regular"), bold: mono("700Bold") },
  Symbols: { normal: symbols, bold: symbols },
  Math: { normal: math, bold: math },
  Emoji: { normal: emoji, bold: emoji },
} satisfies Record<string, Faces>;

/** All font files that a PDF may use. */
export const fontFiles = [
  ...new Set(Object.values<Faces>(families).flatMap(Object.values<string>)),
];

/** The fonts of every PDF, in fallback order. */
const textFonts = ["Literata", "Hebrew", "Arabic", "Mono", "Emoji", "Symbols", "Math"];
const codeFonts = ["Mono", "Literata", "Hebrew", "Arabic", "Emoji", "Symbols", "Math"];
/**
 * Returns the order of the large fonts, which are loaded on demand. Shared characters look
 * different in each language. The font for mainland China also covers traditional forms, but not
 * the reverse.
 */
const eastAsianFonts = (text: string) =>
  /[\u3040-\u30ff]/u.test(text)
    ? ["Japanese", "Traditional Chinese", "Chinese", "Korean"]
    : ["Traditional Chinese", "Chinese", "Japanese", "Korean"];

const eastAsianLetter =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]$/u;

/**
 * Matches the letters that only the East Asian fonts may cover: their own, and full-width signs and
 * Latin letters, which belong to no single script.
 */
const inEastAsianFonts =
  /[\p{Script=Common}\p{Script=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;

/** The most parts of a word. The PDF library passes parts as call arguments, which are limited. */
const mostParts = 50_000;

/** Joins a word's parts to fewer parts, with a break opportunity after each. */
function inFewer(parts: readonly string[]): string[] {
  const joined = Math.ceil(parts.length / (mostParts / 2));
  const fewer: string[] = [];
  for (let at = 0; at < parts.length; at += joined)
    fewer.push(parts.slice(at, at + joined).join(""), "");
  return fewer;
}

/**
 * Splits a word where a line may break, by UAX 14. An empty part prevents a hyphen there. A Latin
 * word stays whole, because hyphenation depends on the language, which is unknown.
 */
export function breakable(word: string): string[] {
  const breaker = new LineBreaker(word);
  const parts: string[] = [];
  let from = 0;
  for (let at = breaker.nextBreak(); at; at = breaker.nextBreak()) {
    if (from > 0) parts.push("");
    parts.push(word.slice(from, at.position));
    from = at.position;
  }
  // A run in another font or weight may follow.
  if (eastAsianLetter.test(word)) parts.push("");
  return parts.length <= mostParts ? parts : inFewer(parts);
}

let registered = false;

function register(): void {
  if (registered) return;
  registered = true;
  for (const [family, faces] of Object.entries<Faces>(families)) {
    const { normal, bold, italic = normal, boldItalic = bold } = faces;
    Font.register({
      family,
      fonts: [
        { src: normal, fontWeight: 400, fontStyle: "normal" },
        { src: bold, fontWeight: 700, fontStyle: "normal" },
        { src: italic, fontWeight: 400, fontStyle: "italic" },
        { src: boldItalic, fontWeight: 700, fontStyle: "italic" },
      ],
    });
  }
  Font.registerHyphenationCallback(breakable);
}

/** Characters that need no glyph: spaces, joiners and variation selectors. */
const shapeless = /[\s\p{Cc}\p{Cf}\p{Mn}\p{Variation_Selector}\u{e0000}-\u{e007f}]/u;

const has = (font: LoadedFont, letter: string) =>
  font !== null &&
  "hasGlyphForCodePoint" in font &&
  font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);

type LoadedFont = Awaited<ReturnType<typeof loaded>>;
async function loaded(fontFamily: string) {
  const how = { fontFamily, fontWeight: 400, fontStyle: "normal" } as const;
  await Font.load(how);
  return Font.getFont(how)?.data ?? null;
}

/** The fonts for a text, and the letters that no font covers. */
type FontsOfText = { text: string[]; code: string[]; missing: string[] };

/**
 * Chooses and registers the fonts for a text. The large East Asian fonts are loaded only if needed:
 * Japanese first if the text contains kana, otherwise the font that covers most of its letters.
 */
export async function fontsOf(text: string): Promise<FontsOfText> {
  register();
  const lacking = (letters: readonly string[], fonts: readonly LoadedFont[]) =>
    letters.filter((letter) => !fonts.some((font) => has(font, letter)));
  const letters = [...new Set(text)].filter((letter) => !shapeless.test(letter));
  const others = lacking(letters, await Promise.all(textFonts.map(loaded)));
  if (!others.some((letter) => inEastAsianFonts.test(letter)))
    return { text: textFonts, code: codeFonts, missing: others };
  let left = others;
  const ideographs = others.filter((letter) => /\p{Script=Han}/u.test(letter));
  const ranked = await Promise.all(
    eastAsianFonts(text).map(async (name) => {
      const font = await loaded(name);
      return { name, font, lacks: lacking(ideographs, [font]).length };
    }),
  );
  const taken: string[] = [];
  for (const { name, font } of ranked.sort((a, b) => a.lacks - b.lacks)) {
    const rest = lacking(left, [font]);
    if (rest.length < left.length) taken.push(name);
    left = rest;
  }
  return { text: [...textFonts, ...taken], code: [...codeFonts, ...taken], missing: left };
}
