import { Mark, markInputRule, markPasteRule, type MarkConfig } from "@tiptap/core";

/*
 * The marks of a text. Tiptap's own packages for them bring a reader and a writer of Markdown each, which is most of their
 * weight; what is copied as Markdown here is written by markdown.ts.
 */

/** What makes a mark of the words it captures, when typed and when pasted. */
type Signs = { typed: RegExp; pasted: RegExp };
type Look = {
  name: string;
  tag: string;
  parse: NonNullable<ReturnType<NonNullable<MarkConfig["parseHTML"]>>>;
  keys: string[];
  signs: Signs[];
};

/** Words between two signs, such as `**these**`, that become a mark when they are typed or pasted. */
function between(sign: string): Signs {
  const letter = sign.charAt(0);
  const quoted = sign.replaceAll("*", "\\*");
  const words = `(?:^|\\s)(${quoted}(?!\\s+${quoted})((?:[^${letter}]+))${quoted}(?!\\s+${quoted}))`;
  return { typed: new RegExp(`${words}$`), pasted: new RegExp(words, "g") };
}

function look({ name, tag, parse, keys, signs }: Look): MarkConfig {
  return {
    name,
    parseHTML: () => parse,
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return Object.fromEntries(
        keys.map((key) => [key, () => this.editor.commands.toggleMark(name)]),
      );
    },
    addInputRules() {
      return signs.map(({ typed }) => markInputRule({ find: typed, type: this.type }));
    },
    addPasteRules() {
      return signs.map(({ pasted }) => markPasteRule({ find: pasted, type: this.type }));
    },
  };
}

/** Clears the mark where a style says that something inside it is not so. */
const unless = (style: string, name: string) => ({
  style,
  clearMark: (mark: { type: { name: string } }) => mark.type.name === name,
});

export const Bold = Mark.create(
  look({
    name: "bold",
    tag: "strong",
    parse: [
      { tag: "strong" },
      // What Google Docs puts around a whole copy.
      { tag: "b", getAttrs: (element) => element.style.fontWeight !== "normal" && null },
      unless("font-weight=400", "bold"),
      {
        style: "font-weight",
        getAttrs: (value) => /^(bold(er)?|[5-9]\d{2,})$/.test(value) && null,
      },
    ],
    keys: ["Mod-b", "Mod-B"],
    signs: [between("**"), between("__")],
  }),
);

export const Italic = Mark.create(
  look({
    name: "italic",
    tag: "em",
    parse: [
      { tag: "em" },
      { tag: "i", getAttrs: (element) => element.style.fontStyle !== "normal" && null },
      unless("font-style=normal", "italic"),
      { style: "font-style=italic" },
    ],
    keys: ["Mod-i", "Mod-I"],
    signs: [between("*"), between("_")],
  }),
);

/** A line drawn by a style, which may draw two kinds at once. */
const line = (kind: string) =>
  ({
    style: "text-decoration",
    consuming: false,
    getAttrs: (value: string) => (value.includes(kind) ? {} : false),
  }) as const;

export const Underline = Mark.create(
  look({
    name: "underline",
    tag: "u",
    parse: [{ tag: "u" }, line("underline")],
    keys: ["Mod-u", "Mod-U"],
    signs: [],
  }),
);

export const Strike = Mark.create(
  look({
    name: "strike",
    tag: "s",
    parse: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }, line("line-through")],
    keys: ["Mod-Shift-s", "Mod-Shift-x"],
    signs: [between("~~")],
  }),
);

export const Code = Mark.create({
  ...look({
    name: "code",
    tag: "code",
    parse: [{ tag: "code" }],
    keys: ["Mod-e"],
    // One more backtick before or behind them means something else.
    signs: [{ typed: /(?<!`)`([^`]+)`$/, pasted: /(?<!`)`([^`]+)`(?!`)/g }],
  }),
  excludes: "_",
  code: true,
  exitable: true,
});
