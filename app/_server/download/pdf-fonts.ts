import { Font } from "@react-pdf/renderer";
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
  Mono: { normal: mono("400Regular"), bold: mono("700Bold") },
  Symbols: { normal: symbols, bold: symbols },
  Math: { normal: math, bold: math },
  Emoji: { normal: emoji, bold: emoji },
} satisfies Record<string, Faces>;

/** The fonts of a PDF, each taken for the letters that those before it lack. */
export const textFonts = ["Literata", "Hebrew", "Arabic", "Mono", "Emoji", "Symbols", "Math"];
export const codeFonts = ["Mono", "Literata", "Hebrew", "Arabic", "Emoji", "Symbols", "Math"];

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
  // Words are whole: where they may be broken depends on a language that nobody has named.
  Font.registerHyphenationCallback((word) => [word]);
}

/** What has no shape of its own: space, joiners, and what chooses how a letter looks. */
const shapeless = /[\s\p{Cc}\p{Cf}\p{Mn}\p{Variation_Selector}\u{e0000}-\u{e007f}]/u;

/** Makes the fonts known, and tells the letters of a text that none of them has. */
export async function lettersWithoutFont(text: string): Promise<string[]> {
  register();
  const fonts = await Promise.all(
    textFonts.map(async (fontFamily) => {
      await Font.load({ fontFamily, fontWeight: 400, fontStyle: "normal" });
      return Font.getFont({ fontFamily, fontWeight: 400, fontStyle: "normal" })?.data;
    }),
  );
  return [...new Set(text)].filter((letter) => {
    const point = letter.codePointAt(0) ?? 0;
    const isShown = fonts.some(
      (font) => font && "hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(point),
    );
    return !shapeless.test(letter) && !isShown;
  });
}
