import fc from "fast-check";
import { paragraph, run } from "./word/word-bytes.fixture";

/** Generates unique words. The reader must read `shown` words, and report `named` words. */
type Words = { shown: () => string; named: (kind: string) => string };
/** A part of a file, which requests its words. */
type Piece = (words: Words) => string;

export type Source = { text: string; shown: string[]; named: [kind: string, word: string][] };

/** Builds a file of pieces, with the words that readers see and those that no text can hold. */
function sourceOf(piece: Piece): Source {
  const shown: string[] = [];
  const named: Source["named"] = [];
  let at = 0;
  const word = () => `w${(at += 1)}q`;
  const text = piece({
    shown: () => {
      const one = word();
      shown.push(one);
      return one;
    },
    named: (kind) => {
      const one = word();
      named.push([kind, one]);
      return one;
    },
  });
  return { text, shown, named };
}

const joined = (pieces: readonly Piece[], between: string): Piece => {
  return (words) => pieces.map((piece) => piece(words)).join(between);
};
const some = (piece: fc.Arbitrary<Piece>, most = 4) =>
  fc.array(piece, { minLength: 1, maxLength: most });
const wrapped = (before: string, inner: Piece, after: string): Piece => {
  return (words) => `${before}${inner(words)}${after}`;
};

const plain: Piece = ({ shown }) => `${shown()} ${shown()}`;
const phrasingTags =
  "b i u s em strong sub sup kbd code mark span small q cite abbr label font ins del button".split(
    " ",
  );

/** The inline content of a page. */
const { line } = fc.letrec<{ line: Piece }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 3 },
    fc.constant(plain),
    fc.constantFrom<Piece>(
      ({ shown }) => `<a href="https://a.example/">${shown()}</a>`,
      ({ shown }) => `<a name="x">${shown()}</a>`,
      ({ shown }) => `<img src="https://a.example/a.png" alt="${shown()}">`,
      ({ shown }) => `<br>${shown()}<br/>`,
      ({ shown }) => `<math><mi>${shown()}</mi></math>`,
      ({ shown }) => `<ruby>${shown()}<rp>(</rp><rt>${shown()}</rt><rp>)</rp></ruby>`,
      ({ shown }) => `<input value="${shown()}">`,
      ({ named }) => `<span style="display: none">${named("hidden passages")}</span>`,
      ({ named }) => `<svg><text>${named("drawings")}</text></svg>`,
      ({ named }) =>
        `<iframe src="https://a.example/" title="${named("embedded pages")}"></iframe>`,
      ({ named }) => `<video>${named("videos and sounds")}</video>`,
      ({ named }) => `<object>${named("embedded objects")}</object>`,
      () => "<!-- unseen --><script>unseen</script><style>unseen</style>",
    ),
    fc
      .tuple(fc.constantFrom(...phrasingTags), some(tie("line"), 3))
      .map(([tag, inner]) => wrapped(`<${tag}>`, joined(inner, " "), `</${tag}>`)),
  ),
}));

const blockTags =
  "p div section article aside header footer blockquote h1 h2 h5 li dd form fieldset center address main nav pre".split(
    " ",
  );

/** The blocks of a page, in places where they belong and elsewhere. */
const { block } = fc.letrec<{ block: Piece; content: Piece }>((tie) => ({
  content: some(fc.oneof(line, tie("block")), 3).map((pieces) => joined(pieces, " ")),
  block: fc.oneof(
    { maxDepth: 3 },
    line,
    fc
      .tuple(fc.constantFrom(...blockTags), tie("content"))
      .map(([tag, inner]) => wrapped(`<${tag}>`, inner, `</${tag}>`)),
    fc
      .tuple(fc.constantFrom("ul", "ol", 'ol start="7"', "menu"), some(tie("content")))
      .map(([tag, items]) =>
        wrapped(
          `<${tag}>`,
          joined(
            items.map((item) => wrapped("<li>", item, "</li>")),
            "",
          ),
          `</${tag.split(" ")[0]}>`,
        ),
      ),
    fc
      .tuple(tie("content"), tie("content"))
      .map(([term, said]) =>
        joined([wrapped("<dl><dt>", term, "</dt>"), wrapped("<dd>", said, "</dd></dl>")], ""),
      ),
    fc
      .tuple(line, tie("content"))
      .map(([summary, inner]) =>
        joined(
          [wrapped("<details><summary>", summary, "</summary>"), wrapped("", inner, "</details>")],
          "\n",
        ),
      ),
    fc
      .tuple(line, tie("content"))
      .map(([caption, inner]) =>
        joined(
          [
            wrapped("<figure>", inner, ""),
            wrapped("<figcaption>", caption, "</figcaption></figure>"),
          ],
          "",
        ),
      ),
    fc.constant<Piece>(
      ({ shown }) =>
        `<figure><img src="https://a.example/a.png" alt="${shown()}"><figcaption>${shown()} <b>${shown()}</b></figcaption></figure>`,
    ),
    fc.constant<Piece>(
      ({ shown }) =>
        `<select><option>${"unseen"}<option selected>${shown()}</select><textarea>${shown()}</textarea>`,
    ),
    fc
      .array(
        fc.array(
          fc.tuple(
            fc.constantFrom("td", "th"),
            fc.integer({ min: 0, max: 4 }),
            fc.integer({ min: 0, max: 4 }),
            tie("content"),
          ),
          { maxLength: 4 },
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((rows) =>
        wrapped(
          "<table>",
          joined(
            [
              wrapped("<caption>", plain, "</caption>"),
              ...rows.map((cells) =>
                wrapped(
                  "<tr>",
                  joined(
                    cells.map(([tag, wide, tall, inner]) =>
                      wrapped(`<${tag} colspan="${wide}" rowspan=${tall}>`, inner, `</${tag}>`),
                    ),
                    "",
                  ),
                  "</tr>",
                ),
              ),
            ],
            "",
          ),
          "</table>",
        ),
      ),
  ),
}));

/** A random HTML page. Browsers accept any content. */
export const randomHtml = some(block, 5).map((pieces) => sourceOf(joined(pieces, "\n")));

const indented = (text: string, by: string) => text.replace(/\n/g, `\n${by}`);
const ofLine = (text: string) => text.replace(/\s*\n\s*/g, " ");

/** Random Markdown with HTML between its blocks and in its lines. */
const { markdown } = fc.letrec<{ markdown: Piece }>((tie) => {
  const inLine = fc.oneof(
    line.map(
      (piece): Piece =>
        (words) =>
          ofLine(piece(words)),
    ),
    fc.constantFrom<Piece>(
      plain,
      ({ shown }) => `**${shown()}** *${shown()}* ~~${shown()}~~ \`${shown()}\``,
      ({ shown }) =>
        `[${shown()}](https://a.example/ "unseen") ![${shown()}](https://a.example/a.png)`,
      ({ shown }) => `**<span>${shown()}</span> ${shown()}**`,
      ({ shown }) => `<b>${shown()} *${shown()}*</b> ${shown()}`,
    ),
  );
  return {
    markdown: fc.oneof(
      { maxDepth: 3 },
      some(inLine).map((pieces) => joined(pieces, " ")),
      inLine.map((piece) => wrapped("## ", piece, "")),
      fc.constantFrom<Piece>(
        ({ shown }) => `Term ${shown()}\n: ${shown()}`,
        ({ shown }) => `${shown()}[^a]\n\n[^a]: ${shown()}\n    ${shown()}`,
        ({ shown }) => `[${shown()}][b]\n\n[b]: https://a.example/ "unseen"`,
        ({ shown }) => `\`\`\`js\n<b>${shown()}</b>\n\`\`\``,
        ({ shown }) =>
          `<table>\n<tr>\n\n<td>\n\n**${shown()}**\n\n</td>\n<td rowspan=2>${shown()}</td>\n</tr>\n</table>`,
        ({ shown }) =>
          `| ${shown()} | <ul><li>${shown()}</li></ul> |\n| --- | --- |\n| ${shown()}<br>${shown()} |`,
        ({ shown }) => `- [ ] ${shown()} <sub>${shown()}</sub>\n- [x] ${shown()}`,
        ({ shown }) => `<div align="center">\n\n# ${shown()}\n\n</div>`,
        ({ shown }) => `<p>${shown()}\n\n${shown()}`,
        ({ shown }) => `</div></p> ${shown()}`,
        ({ shown }) => `${shown()} <textarea> ${shown()}`,
        () => "<!-- unseen\n\nunseen -->",
      ),
      block.map(
        (piece): Piece =>
          (words) =>
            piece(words).replace(/\n\s*\n/g, "\n"),
      ),
      fc.tuple(inLine, some(tie("markdown"), 3)).map(([summary, inner]): Piece => (words) => {
        const head = `<details>\n<summary>${summary(words)}</summary>`;
        return `${head}\n\n${joined(inner, "\n\n")(words)}\n\n</details>`;
      }),
      tie("markdown").map(
        (piece): Piece =>
          (words) =>
            `> ${indented(piece(words), "> ")}`,
      ),
      tie("markdown").map(
        (piece): Piece =>
          (words) =>
            `- x\n\n  ${indented(piece(words), "  ")}`,
      ),
    ),
  };
});

const matter: Piece = ({ named, shown }) => {
  const kind = "lines of properties above a text";
  return `---\ntags: ${named(kind)}\nkey: ${named(kind)}\n---\n# ${shown()}\n\n`;
};

/** A random Markdown file. */
export const randomMarkdown = fc
  .tuple(
    fc.constantFrom<Piece>(matter, () => ""),
    some(markdown, 5),
  )
  .map(([head, pieces]) => sourceOf(joined([head, joined(pieces, "\n\n")], "")));

const box = (inner: string) =>
  "<w:r><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>" +
  `${inner}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`;

/** The content of a Word paragraph. */
const { inWord } = fc.letrec<{ inWord: Piece }>((tie) => ({
  inWord: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Piece>(
      ({ shown }) => run(`${shown()} `),
      ({ shown }) => run(shown(), "<w:b/><w:strike/>"),
      ({ named }) => run(named("hidden passages"), "<w:vanish/>"),
      ({ named }) => {
        const word = named("deleted passages of tracked changes");
        return `<w:del w:id="1"><w:r><w:delText>${word}</w:delText></w:r></w:del>`;
      },
      ({ shown }) =>
        `<m:oMath><m:f><m:num><m:r><m:t>${shown()}</m:t></m:r></m:num><m:den><m:r><m:t>${shown()}</m:t></m:r></m:den></m:f></m:oMath>`,
      ({ shown }) =>
        `<w:r><w:ruby><w:rt>${run(shown())}</w:rt><w:rubyBase>${run(shown())}</w:rubyBase></w:ruby></w:r>`,
    ),
    tie("inWord").map((inner) =>
      wrapped('<w:fldSimple w:instr="AUTHOR">', inner, "</w:fldSimple>"),
    ),
    tie("inWord").map((inner) => wrapped('<w:ins w:id="2">', inner, "</w:ins>")),
    tie("inWord").map((inner) => wrapped('<w:dir w:val="rtl">', inner, "</w:dir>")),
    tie("inWord").map((inner) =>
      wrapped("<w:sdt><w:sdtContent>", inner, "</w:sdtContent></w:sdt>"),
    ),
    tie("inWord").map((inner) => wrapped('<w:hyperlink w:anchor="a">', inner, "</w:hyperlink>")),
    some(tie("inWord"), 2).map((inner): Piece => (words) => {
      return box(inner.map((piece) => paragraph(piece(words))).join(""));
    }),
  ),
}));

const ofStyle = (style: string) => (style === "" ? "" : `<w:pStyle w:val="${style}"/>`);
const { ofBody } = fc.letrec<{ ofBody: Piece }>((tie) => ({
  ofBody: fc.oneof(
    { maxDepth: 2 },
    fc.tuple(fc.constantFrom("", "Heading1", "Quote"), some(inWord)).map(
      ([style, inner]): Piece =>
        (words) =>
          paragraph(joined(inner, "")(words), ofStyle(style)),
    ),
    fc
      .array(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), tie("ofBody")), {
          minLength: 1,
          maxLength: 3,
        }),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((rows): Piece => (words) => {
        const cell = ([wide, inner]: [number, Piece]) =>
          `<w:tc><w:tcPr><w:gridSpan w:val="${wide}"/></w:tcPr>${inner(words)}${paragraph("")}</w:tc>`;
        return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
      }),
    tie("ofBody").map((inner) =>
      wrapped("<w:sdt><w:sdtContent>", inner, "</w:sdtContent></w:sdt>"),
    ),
    tie("ofBody").map((inner) => wrapped("<w:unknown>", inner, "</w:unknown>")),
  ),
}));

/** The body of a Word file. */
export const randomWord = some(ofBody, 5).map((pieces) => sourceOf(joined(pieces, "")));
